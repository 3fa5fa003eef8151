/** `has_scans`: the pages are pictures, and another step recognizes their text. */
export type UnreadableReason =
  | 'crashes'
  | 'damaged'
  | 'empty'
  | 'encrypted'
  | 'has_scans'
  | 'no_text'
  | 'out_of_memory'
  | 'timeout'
  | 'too_large'
  | 'unsupported';

/** Thrown for a document whose text can never be extracted. The message is for the document's owner. */
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

/**
 * Returns whether an error is an UnreadableDocument. Compares names, since a test runner may load this module
 * twice.
 */
export function isUnreadable(error: unknown): error is UnreadableDocument {
  return error instanceof Error && error.name === 'UnreadableDocument';
}

/**
 * Returns whether an error says that a document is too large. Such an error ends the reading, even an error
 * in a minor part of the document.
 */
export function isTooLarge(error: unknown): boolean {
  return isUnreadable(error) && error.reason === 'too_large';
}
