import { Type, type Static } from '@sinclair/typebox';
import { archiveJobKinds, archiveJobStatuses } from '../../entities/archive/archive-job.entity.ts';
import { DateTime, Nullable, StringEnum, Strict, Uuid } from '../http/schemas/schemas.ts';

const selection = {
  bot_ids: Nullable(
    Type.Array(Uuid(), {
      minItems: 1,
      maxItems: 50,
      description: 'Only conversations of these bots; null for all.',
      default: null,
    }),
  ),
  from: Nullable({
    ...DateTime('Only conversations that began at this time or later; null for no lower limit.'),
    examples: ['2026-09-01T00:00:00.000Z'],
  }),
  to: Nullable({
    ...DateTime('Only conversations that began before this time; null for no upper limit.'),
    examples: ['2026-10-01T00:00:00.000Z'],
  }),
  include_contacts: Type.Boolean({
    default: true,
    description: 'Whether to include contacts and the data extracted about them.',
  }),
};

export const ArchiveExportRequest = Strict(
  {
    bot_ids: Type.Optional(selection.bot_ids),
    from: Type.Optional(selection.from),
    to: Type.Optional(selection.to),
    include_contacts: Type.Optional(selection.include_contacts),
  },
  { $id: 'ArchiveExportRequest', description: 'The contents of an archive.' },
);

export const ArchiveUploadFields = Strict({});

export const ArchiveJobParams = Type.Object({ job_id: Uuid('The export or import.') });

export const ArchiveDownloadQuery = Strict({
  part: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100000,
      default: 1,
      description: 'Number of the part in `parts`, from 1.',
    }),
  ),
});

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const ArchiveCounts = Type.Object(
  {
    bots: Count('Bots that the export contains or that the import created.'),
    contacts: Count('Contacts that the export contains or that the import created.'),
    conversations: Count('Exported or imported conversations, including those without a visitor message.'),
    messages: Count('Messages in the exported or imported conversations.'),
    skipped: Count(
      'Conversations that were skipped because they already existed or their visitor was erased.',
    ),
    failed: Count('Conversations that could not be exported or imported; `errors` contains the reasons.'),
  },
  { $id: 'ArchiveCounts', description: 'Counts of the records exported or imported so far.' },
);

const ArchiveJobError = Type.Object(
  {
    line: Nullable(Type.Integer({ minimum: 1, description: 'The line number of the error in the file.' })),
    id: Nullable(Type.String({ description: 'The id of the record in the archive.' })),
    code: Type.String({ description: 'The kind of error.', examples: ['invalid_record'] }),
    message: Type.String({ description: 'A human-readable description.' }),
  },
  { $id: 'ArchiveJobError', description: 'A record that could not be exported or imported.' },
);

export const ArchiveJobRead = Type.Object(
  {
    id: Uuid('The job’s id.'),
    kind: StringEnum(archiveJobKinds, { description: 'Export or import.' }),
    status: StringEnum(archiveJobStatuses, {
      description: 'State of the job; completed and failed are final.',
    }),
    created_at: DateTime('Time of the request.'),
    started_at: Nullable(DateTime('Start time; null while the job is queued.')),
    finished_at: Nullable(DateTime('End time.')),
    expires_at: Nullable(
      DateTime('Time until which the export can be downloaded; null if nothing can be downloaded.'),
    ),
    request: Nullable(
      Type.Object(selection, { description: 'The requested contents of an export; null for an import.' }),
    ),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Progress of the job, from 0 to 1.' }),
    counts: ArchiveCounts,
    parts: Count('Files of a finished export. Each file is an archive that can be imported separately.'),
    size_bytes: Type.Integer({ minimum: 0, format: 'int64', description: 'Total size of all parts.' }),
    error_message: Nullable(Type.String({ description: 'Reason why the job has failed.' })),
    errors: Type.Array(ArchiveJobError, { maxItems: 100, description: 'The first 100 errors.' }),
    errors_total: Count('The total number of errors.'),
  },
  { $id: 'ArchiveJobRead', description: 'An export or import of conversations.' },
);
export type ArchiveJobRead = Static<typeof ArchiveJobRead>;
