import type { ErrorDetail } from '../../../core/errors/errors.ts';

/** Validates a value against a schema. Returns all errors. */
export type Check = (value: unknown) => ErrorDetail[];
