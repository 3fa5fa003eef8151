/** A reason why Parley cannot start or go on, worded for whoever runs it. */
export class LaunchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LaunchError';
  }
}

/** The innermost reason: network errors often carry it in their cause, in nested errors or as a code alone. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
