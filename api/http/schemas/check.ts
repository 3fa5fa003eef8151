import type { ErrorDetail } from '../../../core/errors/errors.ts';

/** Returns all that is wrong. */
export type Check = (value: unknown) => ErrorDetail[];
