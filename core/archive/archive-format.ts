const MEGABYTE = 1024 * 1024;

/** What an archive is, whoever writes it; docs/archive.md says the same to people. */
export const archiveFormat = {
  name: 'parley-archive',
  version: 1,
  manifestName: 'manifest.json',
  /** Of the file that is uploaded. */
  maxFileBytes: 100 * MEGABYTE,
  maxManifestBytes: MEGABYTE,
  maxFiles: 10_000,
  maxUnpackedBytes: 2048 * MEGABYTE,
  /** Of what is unpacked to what is packed. */
  maxRatio: 100,
  /** So much may be unpacked before the ratio is looked at: the beginning of a text may repeat itself. */
  ratioFreeBytes: 16 * MEGABYTE,
  maxLineBytes: MEGABYTE,
  maxDepth: 16,
  /** Of all lines of a conversation. */
  maxConversationBytes: 16 * MEGABYTE,
} as const;

/** In the order in which their files stand in an archive. */
export const recordKinds = ['bots', 'contacts', 'conversations'] as const;
export type RecordKind = (typeof recordKinds)[number];

const FILE_NAME = new RegExp(`^(${recordKinds.join('|')})-\\d{5}\\.jsonl$`);

export function recordFileName(kind: RecordKind, number: number): string {
  return `${kind}-${String(number).padStart(5, '0')}.jsonl`;
}

/** What the records of a file are; null for a name that no file of an archive has. */
export function kindOfFile(name: string): RecordKind | null {
  return (FILE_NAME.exec(name)?.[1] ?? null) as RecordKind | null;
}
