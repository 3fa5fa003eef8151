/**
 * Reason why a document cannot be read. `has_scans`: the pages are pictures, and another step recognizes
 * their text.
 */
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

/** Advice for the owner of an unreadable document, for reasons that need the same advice in every format. */
const ADVICE: Partial<Record<UnreadableReason, string>> = {
  damaged: 'Save the file again in the program that created it, or download it again, and send the new file.',
  empty: 'Check that the file was saved completely, and send it again.',
  encrypted: 'Remove the file’s password, then send the file again.',
  too_large: 'Split the file into smaller files.',
};

interface UnreadableOptions extends ErrorOptions {
  /**
   * Advice for the document's owner; null if the message contains it. By default, the advice for the reason.
   */
  advice?: string | null;
}

/**
 * Thrown for a document whose text can never be extracted. The message is for the document's owner: what is wrong, and
 * what to do.
 */
export class UnreadableDocument extends Error {
  constructor(
    readonly reason: UnreadableReason,
    message: string,
    { advice = ADVICE[reason] ?? null, ...options }: UnreadableOptions = {},
  ) {
    super(advice === null ? message : `${message} ${advice}`, options);
    this.name = 'UnreadableDocument';
  }
}

/** Message for a document that exceeds the memory limit, with advice. */
export const TOO_MUCH_MEMORY =
  'Reading the document takes more memory than Parley allows. Save only the document’s text, or split the document.';

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
