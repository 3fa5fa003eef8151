import { Type, type Static } from '@sinclair/typebox';
import { archiveFormat } from './archive-format.ts';

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Time = Type.String({ format: 'date-time' });
const Id = Type.String({ format: 'uuid' });
const OrNull = <T>(schema: { type?: unknown } & object) =>
  Type.Unsafe<T | null>({ ...schema, type: [schema.type, 'null'] });

/** Entry of the manifest that describes one file of the archive. */
const ArchiveFileEntry = Type.Object(
  {
    name: Type.String({ maxLength: 40 }),
    bytes: Count,
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** Number of records in a file of the archive, one per line. */
    records: Count,
  },
  { additionalProperties: false },
);
export type ArchiveFileEntry = Static<typeof ArchiveFileEntry>;

/** Manifest of an archive, which is its first file and lists all other files. */
export const ArchiveManifest = Type.Object(
  {
    format: Type.Literal(archiveFormat.name),
    version: Type.Literal(archiveFormat.version),
    source: Type.Object(
      { workspace_id: Id, workspace_name: Type.String({ maxLength: 255 }), exported_at: Time },
      { additionalProperties: false },
    ),
    filters: Type.Object(
      {
        bot_ids: OrNull<string[]>(Type.Array(Id, { maxItems: 50 })),
        from: OrNull<string>(Time),
        to: OrNull<string>(Time),
        include_contacts: Type.Boolean(),
      },
      { additionalProperties: false },
    ),
    part: Type.Integer({ minimum: 1, maximum: 100_000 }),
    parts: Type.Integer({ minimum: 1, maximum: 100_000 }),
    counts: Type.Object(
      { bots: Count, contacts: Count, conversations: Count, messages: Count },
      { additionalProperties: false },
    ),
    files: Type.Array(ArchiveFileEntry, { maxItems: archiveFormat.maxFiles }),
  },
  { additionalProperties: false },
);
export type ArchiveManifest = Static<typeof ArchiveManifest>;
