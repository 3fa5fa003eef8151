/**
 * A file that is no archive, or an archive that cannot be imported. The message says what is wrong and where, for
 * people.
 */
export class ArchiveRefused extends Error {
  /** True if the file is not gzip at all, rather than damaged. */
  readonly isNotGzip: boolean;

  constructor(message: string, { isNotGzip = false, cause }: { isNotGzip?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = 'ArchiveRefused';
    this.isNotGzip = isNotGzip;
  }
}
