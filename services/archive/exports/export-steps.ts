import type { OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type {
  ArchiveCounts,
  ArchiveJob,
  ArchiveJobError,
  ArchivePlace,
  ArchiveSelection,
  ExportPosition,
} from '../../../entities/archive/archive-job.entity.ts';
import type { Contact } from '../../../entities/contacts/contact.entity.ts';
import type { VisitorOfBot } from '../../../repositories/contacts/visitor.ts';
import type {
  ArchiveRange,
  ArchiveSourceRepository,
} from '../../../repositories/archive/archive-source.repository.ts';
import { renderedContacts, type RenderedContacts } from './contact-lines.ts';
import { renderedConversations } from './conversation-lines.ts';
import { behind, placeOf, withRoom, type ExportSizes } from './export-position.ts';
import { packedFile, type PackedFile } from './packed-file.ts';
import { botRecord, lineOf } from './records-of.ts';

/** What a step of an export comes to. */
export interface ExportStep {
  files: PackedFile[];
  position: ExportPosition;
  counts: Partial<ArchiveCounts>;
  errors: ArchiveJobError[];
}

/** A job, and what it is of. */
export interface Exported {
  job: Pick<ArchiveJob, 'createdAt'>;
  selection: ArchiveSelection;
  position: ExportPosition;
}

const CONVERSATIONS_AT_ONCE = 200;
const CONTACTS_AT_ONCE = 1000;

/** Conversations of one file, as they were read. */
interface Collected {
  conversations: VisitorOfBot[];
  lines: Buffer[];
  errors: ArchiveJobError[];
  /** The last one that was looked at. */
  after: ArchivePlace | null;
  isLast: boolean;
}

/** Reads what is exported, file by file; nothing is written. */
export class ExportSteps {
  readonly #source: ArchiveSourceRepository;
  readonly #sizes: ExportSizes;

  constructor(source: ArchiveSourceRepository, sizes: ExportSizes) {
    this.#source = source;
    this.#sizes = sizes;
  }

  /** What begun before the export, of bots that there still are. */
  async rangeOf(scope: OrgScope, { job, selection }: Omit<Exported, 'position'>): Promise<ArchiveRange> {
    const bots = await this.#source.listBots(scope, selection.botIds);
    const begun = job.createdAt.toISOString();
    const { from, to } = selection;
    return {
      botIds: bots.map(({ id }) => id),
      from,
      until: to !== null && new Date(to) < job.createdAt ? to : begun,
    };
  }

  async next(scope: OrgScope, exported: Exported): Promise<ExportStep> {
    const { phase } = exported.position;
    if (phase === 'bots') return this.#bots(scope, exported);
    if (phase === 'conversations') return this.#conversations(scope, exported);
    return this.#contacts(scope, exported);
  }

  async #bots(scope: OrgScope, { job, selection, position }: Exported): Promise<ExportStep> {
    const bots = await this.#source.listBots(scope, selection.botIds);
    const lines = bots.map((bot) => lineOf(botRecord(bot)));
    const file = { kind: 'bots', part: 0, number: 1, lines } as const;
    const files = bots.length > 0 ? [await packedFile(file, job.createdAt)] : [];
    return {
      files,
      position: { ...position, phase: 'conversations' },
      counts: { bots: bots.length },
      errors: [],
    };
  }

  async #conversations(scope: OrgScope, exported: Exported): Promise<ExportStep> {
    const { job, selection } = exported;
    const range = await this.rangeOf(scope, exported);
    const { conversations, lines, errors, after, isLast } = await this.#collect(scope, range, exported);
    const position = conversations.length > 0 ? withRoom(exported.position, this.#sizes) : exported.position;
    const contacts = selection.includesContacts
      ? await this.#contactsOf(scope, range, position, conversations)
      : [];
    const known = renderedContacts(contacts);
    const files = await Promise.all([
      ...this.#contactFiles(known, position, job.createdAt),
      ...(conversations.length > 0
        ? [
            packedFile(
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
        ...behind(position, files),
        after: isLast ? null : after,
        phase: !isLast ? 'conversations' : endsWithContacts ? 'contacts' : 'joining',
      },
      counts: {
        contacts: known.lines.length,
        conversations: conversations.length,
        messages: lines.length - conversations.length,
        failed: errors.length,
      },
      errors: [...known.errors, ...errors],
    };
  }

  /** As many as go into one file. */
  async #collect(
    scope: OrgScope,
    range: ArchiveRange,
    { selection: { includesContacts }, position: { after } }: Exported,
  ): Promise<Collected> {
    const { conversationsPerFile, fileBytes } = this.#sizes;
    const found: Collected = { conversations: [], lines: [], errors: [], after, isLast: false };
    for (let bytes = 0; !found.isLast;) {
      const page = await this.#source.listConversations(scope, range, found.after, CONVERSATIONS_AT_ONCE);
      for await (const each of renderedConversations(this.#source, scope, page, includesContacts)) {
        const isFull = bytes + each.bytes > fileBytes || found.conversations.length >= conversationsPerFile;
        if (isFull && found.conversations.length > 0) return found;
        if (each.error) found.errors.push(each.error);
        else found.conversations.push(each.conversation);
        found.lines.push(...each.lines);
        found.after = placeOf(each.conversation);
        bytes += each.bytes;
      }
      found.isLast = page.length < CONVERSATIONS_AT_ONCE;
    }
    return found;
  }

  /** Those that the part does not have already, so that each part can be imported by itself. */
  #contactsOf(
    scope: OrgScope,
    range: ArchiveRange,
    { after, partAfter }: ExportPosition,
    conversations: readonly VisitorOfBot[],
  ): Promise<Opened<Contact>[]> {
    const isBegun = after !== null && after.id !== partAfter?.id;
    const before = isBegun ? { after: partAfter, to: after } : null;
    return this.#source.listContactsOf(scope, range, conversations, before);
  }

  /** Those who have no conversation. */
  async #contacts(scope: OrgScope, exported: Exported): Promise<ExportStep> {
    const { job } = exported;
    const range = await this.rangeOf(scope, exported);
    const { after } = exported.position;
    const contacts = await this.#source.listSilentContacts(scope, range, after, CONTACTS_AT_ONCE);
    const position = contacts.length > 0 ? withRoom(exported.position, this.#sizes) : exported.position;
    const known = renderedContacts(contacts);
    const files = await Promise.all(this.#contactFiles(known, position, job.createdAt));
    const last = contacts.length === CONTACTS_AT_ONCE ? contacts.at(-1) : undefined;
    return {
      files,
      position: {
        ...behind(position, files),
        after: last ? placeOf(last) : null,
        phase: last ? 'contacts' : 'joining',
      },
      counts: { contacts: known.lines.length },
      errors: known.errors,
    };
  }

  #contactFiles(
    { lines }: RenderedContacts,
    { part, partFiles }: ExportPosition,
    writtenAt: Date,
  ): Promise<PackedFile>[] {
    if (lines.length === 0) return [];
    return [packedFile({ kind: 'contacts', part, number: partFiles.contacts + 1, lines }, writtenAt)];
  }
}
