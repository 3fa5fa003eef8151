import type { ErrorDetail } from '../../../core/errors/errors.ts';

/** Returns all errors. */
export type Check = (value: unknown) => ErrorDetail[];
