import type { ErrorDetail } from '../../../core/errors/errors.ts';

/** Validates a value. Returns all errors. */
export type Check = (value: unknown) => ErrorDetail[];
