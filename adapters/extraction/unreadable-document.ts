export type UnreadableReason =
  'damaged' | 'empty' | 'encrypted' | 'no_text' | 'out_of_memory' | 'timeout' | 'too_large' | 'unsupported';

/** A document that no text can be got from, however often it is tried; the message is for its owner. */
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

/** Told by its name, for a test runner may load a module that is imported on demand a second time. */
export function isUnreadable(error: unknown): error is UnreadableDocument {
  return error instanceof Error && error.name === 'UnreadableDocument';
}
