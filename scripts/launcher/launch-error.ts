/** A reason why Parley cannot start or continue, worded for the operator. */
export class LaunchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LaunchError';
  }
}

/**
 * Returns the message of the innermost error. Network errors often have the message in their cause, in nested
 * errors, or only as a code.
 */
export function findReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return findReason(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return findReason(error.cause);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
