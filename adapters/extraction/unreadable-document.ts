export type UnreadableReason =
  'damaged' | 'empty' | 'encrypted' | 'no_text' | 'out_of_memory' | 'timeout' | 'too_large' | 'unsupported';

/** A document whose text can never be extracted. The message is for its owner. */
export class UnreadableDocument extends Error {
  constructor(
    readonly reason: UnreadableReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'UnreadableDocument';
  }
}

/** Compares the name, because a test runner may load a dynamically imported module twice. */
export function isUnreadable(error: unknown): error is UnreadableDocument {
  return error instanceof Error && error.name === 'UnreadableDocument';
}
