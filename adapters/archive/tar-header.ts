import { ArchiveRefused } from './archive-refused.ts';

export const TAR_BLOCK_BYTES = 512;

/** Offset and length of the fields of a USTAR header (POSIX.1-1988). */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  linkName: [157, 100],
  magic: [257, 8],
  prefix: [345, 155],
} as const satisfies Record<string, readonly [offset: number, length: number]>;

const REGULAR_FILE = '0';
/** Type flag of a regular file in old tar formats. */
const OLD_REGULAR_FILE = '\0';
const USTAR = 'ustar\0' + '00';

export interface TarEntry {
  name: string;
  sizeBytes: number;
}

/** Creates the tar header of a file in an archive. */
export function createTarHeader({ name, sizeBytes }: TarEntry, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(TAR_BLOCK_BYTES);
  const writeField = (field: keyof typeof FIELDS, text: string) =>
    header.write(text, FIELDS[field][0], 'latin1');
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  writeField('name', name);
  writeField('mode', octal(0o644, 7));
  writeField('uid', octal(0, 7));
  writeField('gid', octal(0, 7));
  writeField('size', octal(sizeBytes, 11));
  writeField('mtime', octal(Math.floor(modifiedAt.getTime() / 1000), 11));
  writeField('type', REGULAR_FILE);
  writeField('magic', USTAR);
  writeField('checksum', `${computeTarChecksum(header).toString(8).padStart(6, '0')}\0 `);
  return header;
}

/** Returns the number of padding bytes between a file's content and the next tar header. */
export function countPadding(sizeBytes: number): number {
  return (TAR_BLOCK_BYTES - (sizeBytes % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES;
}

/**
 * Reads a tar header. Returns null for the block of zeros that ends an archive.
 * @throws ArchiveRefused if the entry is not a regular file
 */
export function readTarHeader(header: Buffer): TarEntry | null {
  if (header.every((byte) => byte === 0)) return null;
  const readField = (field: keyof typeof FIELDS) => readTarField(header, field);
  if (
    parseOctal(readField('checksum')) !== computeTarChecksum(header) ||
    !readField('magic').startsWith('ustar')
  )
    throw new ArchiveRefused('The gzip file does not contain a tar file in USTAR format.');
  const name = readField('prefix') === '' ? readField('name') : `${readField('prefix')}/${readField('name')}`;
  const type = header.toString('latin1', FIELDS.type[0], FIELDS.type[0] + 1);
  if ((type !== REGULAR_FILE && type !== OLD_REGULAR_FILE) || readField('linkName') !== '')
    throw new ArchiveRefused(
      `${quoteName(name)} is not a regular file. An archive may contain only the files that its manifest lists, in USTAR format.`,
    );
  const sizeBytes = parseOctal(readField('size'));
  if (sizeBytes === null) throw new ArchiveRefused(`The size of ${quoteName(name)} is not a number.`);
  return { name, sizeBytes };
}

/** Quotes a file name from an untrusted archive, for an error message. */
export function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function readTarField(header: Buffer, field: keyof typeof FIELDS): string {
  const [offset, length] = FIELDS[field];
  const text = header.toString('latin1', offset, offset + length);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

function parseOctal(text: string): number | null {
  return /^ *[0-7]{1,12} *$/.test(text) ? parseInt(text.trim(), 8) : null;
}

/** Computes the checksum of a tar header. The bytes of the checksum field itself count as blanks. */
function computeTarChecksum(header: Buffer): number {
  const [offset, length] = FIELDS.checksum;
  return header.reduce(
    (sum, byte, index) => sum + (index >= offset && index < offset + length ? 0x20 : byte),
    0,
  );
}
