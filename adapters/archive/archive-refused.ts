/**
 * Thrown for a file that is not a workspace's archive, or an archive that cannot be imported. The message
 * tells people what is wrong, and where.
 */
export class ArchiveRefused extends Error {
  /** True if the file is not gzip at all; false if it is gzip, but a damaged or unsuitable archive. */
  readonly isNotGzip: boolean;

  constructor(message: string, { isNotGzip = false, cause }: { isNotGzip?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = 'ArchiveRefused';
    this.isNotGzip = isNotGzip;
  }
}
