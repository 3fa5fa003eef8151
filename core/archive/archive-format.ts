const MEGABYTE = 1024 * 1024;

/** Name, version and limits of the archive format, which docs/archive.md describes. */
export const archiveFormat = {
  name: 'parley-archive',
  version: 1,
  manifestName: 'manifest.json',
  /** Maximum size, in bytes, of an uploaded archive, which is compressed. */
  maxFileBytes: 100 * MEGABYTE,
  maxManifestBytes: MEGABYTE,
  maxFiles: 10_000,
  /** Maximum number of bots in an archive, since an import creates the bots that the workspace lacks. */
  maxBots: 1000,
  maxUnpackedBytes: 2048 * MEGABYTE,
  /** Maximum ratio of an archive's unpacked size to its compressed size, as protection against zip bombs. */
  maxRatio: 100,
  /**
   * Unpacked bytes of an archive up to which the ratio is not checked, since the start of a text may be
   * repetitive.
   */
  ratioFreeBytes: 16 * MEGABYTE,
  maxLineBytes: MEGABYTE,
  maxDepth: 16,
  /** Maximum size, in bytes, of all lines of an archive that belong to one conversation. */
  maxConversationBytes: 16 * MEGABYTE,
  /** Maximum number of messages of one conversation in an archive, which an import compares at once. */
  maxConversationMessages: 10_000,
} as const;

/** Kinds of records in an archive, in the order of their files. */
export const recordKinds = ['bots', 'contacts', 'conversations'] as const;
export type RecordKind = (typeof recordKinds)[number];

const FILE_NAME = new RegExp(`^(${recordKinds.join('|')})-\\d{5}\\.jsonl$`);

export function recordFileName(kind: RecordKind, number: number): string {
  return `${kind}-${String(number).padStart(5, '0')}.jsonl`;
}

/** Returns the kind of records in a file, by its name; null if an archive cannot contain such a file. */
export function parseFileKind(name: string): RecordKind | null {
  return (FILE_NAME.exec(name)?.[1] ?? null) as RecordKind | null;
}
