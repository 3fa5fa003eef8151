/** A file that is no archive, or one that nothing is taken from; the message says what is wrong and where, for people. */
export class ArchiveRefused extends Error {
  /** It is no gzip file at all, and not only a bad one. */
  readonly isOfAnotherType: boolean;

  constructor(
    message: string,
    { isOfAnotherType = false, cause }: { isOfAnotherType?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'ArchiveRefused';
    this.isOfAnotherType = isOfAnotherType;
  }
}
