const MEGABYTE = 1024 * 1024;

/** Limits and identity of the archive format; docs/archive.md describes it for people. */
export const archiveFormat = {
  name: 'parley-archive',
  version: 1,
  manifestName: 'manifest.json',
  /** Maximum size of the uploaded file. */
  maxFileBytes: 100 * MEGABYTE,
  maxManifestBytes: MEGABYTE,
  maxFiles: 10_000,
  maxUnpackedBytes: 2048 * MEGABYTE,
  /** Maximum ratio of unpacked to packed size. */
  maxRatio: 100,
  /** Unpacked bytes before the ratio is checked: the start of a text may be repetitive. */
  ratioFreeBytes: 16 * MEGABYTE,
  maxLineBytes: MEGABYTE,
  maxDepth: 16,
  /** Maximum size of all lines of a conversation. */
  maxConversationBytes: 16 * MEGABYTE,
} as const;

/** Kinds of records in the order of their files in an archive. */
export const recordKinds = ['bots', 'contacts', 'conversations'] as const;
export type RecordKind = (typeof recordKinds)[number];

const FILE_NAME = new RegExp(`^(${recordKinds.join('|')})-\\d{5}\\.jsonl$`);

export function recordFileName(kind: RecordKind, number: number): string {
  return `${kind}-${String(number).padStart(5, '0')}.jsonl`;
}

/** Returns the kind of records in a file; null for a name that no archive file has. */
export function parseFileKind(name: string): RecordKind | null {
  return (FILE_NAME.exec(name)?.[1] ?? null) as RecordKind | null;
}
