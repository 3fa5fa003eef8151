const MAX_CHAIN = 5;

/**
 * Properties of an error that can be logged. Other properties may contain SQL statements, parameters and
 * rows, which database drivers add.
 */
export interface ErrorDescription {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  cause?: ErrorDescription;
  errors?: ErrorDescription[];
}

export function describeError(error: unknown): ErrorDescription {
  return describeNested(error, MAX_CHAIN);
}

function describeNested(error: unknown, depth: number): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: removeCredentials(String(error)) };
  const { name, message, stack, cause } = error;
  const errors = error instanceof AggregateError && depth > 0 ? error.errors : [];
  return {
    type: name,
    message: removeCredentials(message),
    ...(stack !== undefined && { stack: removeCredentials(stack) }),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(cause !== undefined && depth > 0 && { cause: describeNested(cause, depth - 1) }),
    ...(errors.length > 0 && { errors: errors.map((each: unknown) => describeNested(each, depth - 1)) }),
  };
}

/**
 * Matches credentials in a text: API keys, webhook secrets, keys of model providers, signed tokens and
 * encrypted values.
 */
const CREDENTIALS = new RegExp(
  [
    String.raw`parley_live_\w+`,
    String.raw`whsec_[\w+/=-]+`,
    String.raw`\bsk-[\w-]{8,}`,
    String.raw`(?<![\w-])eyJ[\w-]+\.[\w.-]+`,
    String.raw`\bv1\.[\w-]{30,}`,
    String.raw`(?<=\bBearer )[^\s"']+`,
    String.raw`(?<=:\/\/)[^\s/@"']+(?=@)`,
  ].join('|'),
  'gi',
);

/** Removes credentials from a text for the log, since error messages may quote credentials. */
export function removeCredentials(text: string): string {
  return text.replace(CREDENTIALS, '[redacted]');
}
