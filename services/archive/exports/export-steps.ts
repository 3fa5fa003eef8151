import type { OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type {
  ArchiveCounts,
  ArchiveJob,
  ArchiveJobError,
  ArchiveCursor,
  ArchiveSelection,
  ExportPosition,
} from '../../../entities/archive/archive-job.entity.ts';
import type { Contact } from '../../../entities/contacts/contact.entity.ts';
import type { VisitorOfBot } from '../../../repositories/contacts/visitor.ts';
import type {
  ArchiveRange,
  ArchiveSourceRepository,
} from '../../../repositories/archive/archive-source.repository.ts';
import { renderContacts, type RenderedContacts } from './contact-lines.ts';
import { renderConversations } from './conversation-lines.ts';
import { advance, toArchiveCursor, rollToNextPartIfFull, type ExportSizes } from './export-position.ts';
import { packFile, type PackedFile } from './packed-file.ts';
import { toBotRecord, toArchiveLine } from './archive-record-mapping.ts';

/** Result of one step of an export: new files, and the export's new position, counts and errors. */
export interface ExportStep {
  files: PackedFile[];
  position: ExportPosition;
  counts: Partial<ArchiveCounts>;
  errors: ArchiveJobError[];
}

/** Input of one step of an export. */
export interface ExportContext {
  job: Pick<ArchiveJob, 'createdAt'>;
  selection: ArchiveSelection;
  position: ExportPosition;
}

const CONVERSATIONS_PER_QUERY = 200;
const CONTACTS_PER_QUERY = 1000;

/** Conversations that go into one file of the export. */
interface CollectedConversations {
  conversations: VisitorOfBot[];
  lines: Buffer[];
  errors: ArchiveJobError[];
  /** Position of the last conversation that the step has read, whether it was exported or failed. */
  after: ArchiveCursor | null;
  isLast: boolean;
}

/** Reads the rows to export and packs them into files in memory, one step at a time. */
export class ExportSteps {
  readonly #source: ArchiveSourceRepository;
  readonly #sizes: ExportSizes;

  constructor(source: ArchiveSourceRepository, sizes: ExportSizes) {
    this.#source = source;
    this.#sizes = sizes;
  }

  /**
   * Turns the user's selection into the range to export: existing bots, and conversations that began before
   * the export.
   */
  async resolveRange(
    scope: OrgScope,
    { job, selection }: Omit<ExportContext, 'position'>,
  ): Promise<ArchiveRange> {
    const bots = await this.#source.listBots(scope, selection.botIds);
    const exportStart = job.createdAt.toISOString();
    const { from, to } = selection;
    return {
      botIds: bots.map(({ id }) => id),
      from,
      until: to !== null && new Date(to) < job.createdAt ? to : exportStart,
    };
  }

  async next(scope: OrgScope, context: ExportContext): Promise<ExportStep> {
    const { phase } = context.position;
    if (phase === 'bots') return this.#exportBots(scope, context);
    if (phase === 'conversations') return this.#exportConversations(scope, context);
    return this.#exportSilentContacts(scope, context);
  }

  async #exportBots(scope: OrgScope, { job, selection, position }: ExportContext): Promise<ExportStep> {
    const bots = await this.#source.listBots(scope, selection.botIds);
    const lines = bots.map((bot) => toArchiveLine(toBotRecord(bot)));
    const file = { kind: 'bots', part: 0, number: 1, lines } as const;
    const files = bots.length > 0 ? [await packFile(file, job.createdAt)] : [];
    return {
      files,
      position: { ...position, phase: 'conversations' },
      counts: { bots: bots.length },
      errors: [],
    };
  }

  async #exportConversations(scope: OrgScope, context: ExportContext): Promise<ExportStep> {
    const { job, selection } = context;
    const range = await this.resolveRange(scope, context);
    const { conversations, lines, errors, after, isLast } = await this.#collect(scope, range, context);
    const position =
      conversations.length > 0 ? rollToNextPartIfFull(context.position, this.#sizes) : context.position;
    const contacts = selection.includesContacts
      ? await this.#listMissingContacts(scope, range, position, conversations)
      : [];
    const rendered = renderContacts(contacts);
    const files = await Promise.all([
      ...this.#packContacts(rendered, position, job.createdAt),
      ...(conversations.length > 0
        ? [
            packFile(
              {
                kind: 'conversations',
                part: position.part,
                number: position.partFiles.conversations + 1,
                lines,
                conversations: conversations.length,
              },
              job.createdAt,
            ),
          ]
        : []),
    ]);
    const endsWithContacts = selection.includesContacts && selection.from === null && selection.to === null;
    return {
      files,
      position: {
        ...advance(position, files),
        after: isLast ? null : after,
        phase: !isLast ? 'conversations' : endsWithContacts ? 'contacts' : 'joining',
      },
      counts: {
        contacts: rendered.lines.length,
        conversations: conversations.length,
        messages: lines.length - conversations.length,
        failed: errors.length,
      },
      errors: [...rendered.errors, ...errors],
    };
  }

  /** Collects conversations until a file of the export is full. */
  async #collect(
    scope: OrgScope,
    range: ArchiveRange,
    { selection: { includesContacts }, position: { after } }: ExportContext,
  ): Promise<CollectedConversations> {
    const { conversationsPerFile, fileBytes } = this.#sizes;
    const collected: CollectedConversations = {
      conversations: [],
      lines: [],
      errors: [],
      after,
      isLast: false,
    };
    for (let bytes = 0; !collected.isLast;) {
      const page = await this.#source.listConversations(
        scope,
        range,
        collected.after,
        CONVERSATIONS_PER_QUERY,
      );
      for await (const each of renderConversations(this.#source, scope, page, includesContacts)) {
        const isFull =
          bytes + each.bytes > fileBytes || collected.conversations.length >= conversationsPerFile;
        if (isFull && collected.conversations.length > 0) return collected;
        if (each.error) collected.errors.push(each.error);
        else collected.conversations.push(each.conversation);
        collected.lines.push(...each.lines);
        collected.after = toArchiveCursor(each.conversation);
        bytes += each.bytes;
      }
      collected.isLast = page.length < CONVERSATIONS_PER_QUERY;
    }
    return collected;
  }

  /**
   * Returns the contacts of these conversations that the export's current part does not contain yet. Each
   * part can be imported without the other parts.
   */
  #listMissingContacts(
    scope: OrgScope,
    range: ArchiveRange,
    { after, partAfter }: ExportPosition,
    conversations: readonly VisitorOfBot[],
  ): Promise<Opened<Contact>[]> {
    const hasEarlierFiles = after !== null && after.id !== partAfter?.id;
    const before = hasEarlierFiles ? { after: partAfter, to: after } : null;
    return this.#source.listConversationContacts(scope, range, conversations, before);
  }

  /** Exports contacts that have no conversations. */
  async #exportSilentContacts(scope: OrgScope, context: ExportContext): Promise<ExportStep> {
    const { job } = context;
    const range = await this.resolveRange(scope, context);
    const { after } = context.position;
    const contacts = await this.#source.listContactsWithoutConversation(
      scope,
      range,
      after,
      CONTACTS_PER_QUERY,
    );
    const position =
      contacts.length > 0 ? rollToNextPartIfFull(context.position, this.#sizes) : context.position;
    const rendered = renderContacts(contacts);
    const files = await Promise.all(this.#packContacts(rendered, position, job.createdAt));
    const last = contacts.length === CONTACTS_PER_QUERY ? contacts.at(-1) : undefined;
    return {
      files,
      position: {
        ...advance(position, files),
        after: last ? toArchiveCursor(last) : null,
        phase: last ? 'contacts' : 'joining',
      },
      counts: { contacts: rendered.lines.length },
      errors: rendered.errors,
    };
  }

  #packContacts(
    { lines }: RenderedContacts,
    { part, partFiles }: ExportPosition,
    writtenAt: Date,
  ): Promise<PackedFile>[] {
    if (lines.length === 0) return [];
    return [packFile({ kind: 'contacts', part, number: partFiles.contacts + 1, lines }, writtenAt)];
  }
}
