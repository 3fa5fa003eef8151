import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ArchiveRefused } from '../../adapters/archive/archive-refused.ts';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { oneLine } from '../../core/text/safe-text.ts';
import { formatSize } from '../../core/text/size-text.ts';
import { verifyArchive } from '../../services/archive/imports/verify-archive.ts';
import { LaunchError } from '../launcher/launch-error.ts';

/**
 * Reports whether an import would accept the archive file, after reading the whole file.
 * @throws LaunchError if the file cannot be read
 */
export async function reportArchive(path: string, report: (line: string) => void): Promise<boolean> {
  const file = await stat(path).catch(() => null);
  if (!file?.isFile()) throw new LaunchError(`The file ${path} does not exist or cannot be read.`);
  const { maxFileBytes } = archiveFormat;
  if (file.size > maxFileBytes) {
    report(`The archive is invalid: it exceeds ${formatSize(maxFileBytes)}.`);
    return false;
  }
  try {
    const { records, faults, faultsTotal } = await verifyArchive(createReadStream(path));
    for (const { message } of faults) report(oneLine(message));
    if (faultsTotal > faults.length) report(`… and ${faultsTotal - faults.length} more.`);
    report(
      faultsTotal === 0
        ? `The archive is valid: ${records} records.`
        : `The archive is complete, but ${faultsTotal} of its records and their conversations cannot be imported.`,
    );
    return faultsTotal === 0;
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    report(oneLine(`The archive is invalid. ${error.message}`));
    return false;
  }
}
