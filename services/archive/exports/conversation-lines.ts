import { archiveFormat } from '../../../core/archive/archive-format.ts';
import { pauseIfDue } from '../../../core/concurrency/loop-slices.ts';
import { groupItems } from '../../../core/group-items.ts';
import { formatSize } from '../../../core/text/size-text.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { ArchiveSourceRepository } from '../../../repositories/archive/archive-source.repository.ts';
import type { ArchivedMessage } from '../../../repositories/archive/archive-source.sql.ts';
import {
  toConversationRecord,
  fitsArchive,
  toArchiveLine,
  toMessageRecord,
} from './archive-record-mapping.ts';

/** A conversation as lines of an export's archive, or an error if it exceeds the archive's limits. */
export interface RenderedConversation {
  conversation: Opened<Conversation>;
  lines: Buffer[];
  bytes: number;
  error: ArchiveJobError | null;
}

const MAX_MESSAGES_PER_QUERY = 4000;
/** Size in bytes of the messages that one query reads, of at least one conversation. */
const MAX_BYTES_PER_QUERY = 16 * 1024 * 1024;
/** Size in bytes of a conversation's stored messages above which they are not read. */
const MAX_STORED_BYTES = 2 * archiveFormat.maxConversationBytes;
const TOO_MANY_BYTES = `its messages exceed ${formatSize(archiveFormat.maxConversationBytes)}`;
const TOO_LONG_MESSAGE = `one of its messages exceeds ${formatSize(archiveFormat.maxLineBytes)}`;
const UNFIT_RECORD = `its fields exceed ${formatSize(archiveFormat.maxLineBytes)} or are nested too deeply`;

/** Converts conversations to lines of an archive, in the given order, each followed by its messages. */
export async function* renderConversations(
  source: ArchiveSourceRepository,
  scope: OrgScope,
  conversations: readonly Opened<Conversation>[],
  includesContacts: boolean,
): AsyncGenerator<RenderedConversation, void, undefined> {
  const sizes = await source.mapContentBytes(
    scope,
    conversations.map(({ id }) => id),
  );
  for (const group of groupByContent(conversations, sizes)) {
    const readable = group.filter((each) => findSizeProblem(each, sizes) === null);
    const ids = readable.map(({ id }) => id);
    const [messages, handoffs] = await Promise.all([
      source.listMessages(scope, ids),
      source.listHandoffs(
        scope,
        readable.flatMap(({ id, hadHandoff }) => (hadHandoff ? id : [])),
      ),
    ]);
    const messagesByConversation = new Map(groupItems(messages, ({ conversationId }) => conversationId));
    const handoffsByConversation = new Map(groupItems(handoffs, ({ conversationId }) => conversationId));
    for (const each of group) {
      const problem = findSizeProblem(each, sizes);
      if (problem !== null) {
        yield createTooLarge(each, problem);
        continue;
      }
      const record = toConversationRecord(each, handoffsByConversation.get(each.id) ?? [], includesContacts);
      yield await renderConversation(each, record, messagesByConversation.get(each.id) ?? []);
    }
  }
}

type ContentSizes = ReadonlyMap<string, number>;

/** Groups conversations so that the messages of each group can be read at once. */
function groupByContent(
  conversations: readonly Opened<Conversation>[],
  sizes: ContentSizes,
): Opened<Conversation>[][] {
  const groups: Opened<Conversation>[][] = [];
  let messages = 0;
  let bytes = 0;
  for (const each of conversations) {
    messages += each.messageCount;
    bytes += sizes.get(each.id) ?? 0;
    if (groups.length === 0 || messages > MAX_MESSAGES_PER_QUERY || bytes > MAX_BYTES_PER_QUERY) {
      groups.push([]);
      messages = each.messageCount;
      bytes = sizes.get(each.id) ?? 0;
    }
    groups.at(-1)!.push(each);
  }
  return groups;
}

/**
 * Returns why a conversation is too large to be read; null if it is not. Encrypted messages take more bytes than in the
 * archive, so `renderConversation` checks the exact size.
 */
function findSizeProblem(
  { id, messageCount }: Pick<Conversation, 'id' | 'messageCount'>,
  sizes: ContentSizes,
): string | null {
  if (messageCount > archiveFormat.maxConversationMessages) return describeMessageCount(messageCount);
  return (sizes.get(id) ?? 0) > MAX_STORED_BYTES ? TOO_MANY_BYTES : null;
}

/**
 * Converts a conversation to lines of an archive. Stops at the size limit, since converting 16 MB takes a
 * third of a second.
 */
async function renderConversation(
  conversation: Opened<Conversation>,
  record: object,
  messages: readonly Opened<ArchivedMessage>[],
): Promise<RenderedConversation> {
  const { maxConversationBytes, maxConversationMessages, maxLineBytes } = archiveFormat;
  const first = toArchiveLine(record);
  if (!fitsArchive(first)) return createTooLarge(conversation, UNFIT_RECORD);
  // The message count in the conversation's row may be older than the messages.
  if (messages.length > maxConversationMessages)
    return createTooLarge(conversation, describeMessageCount(messages.length));
  const lines = [first];
  let bytes = first.length;
  for (const message of messages) {
    await pauseIfDue();
    const line = toArchiveLine(toMessageRecord(message));
    bytes += line.length;
    if (line.length > maxLineBytes) return createTooLarge(conversation, TOO_LONG_MESSAGE);
    if (bytes > maxConversationBytes) return createTooLarge(conversation, TOO_MANY_BYTES);
    lines.push(line);
  }
  return { conversation, lines, bytes, error: null };
}

function describeMessageCount(count: number): string {
  return `it has ${formatCount(count)} messages, but a conversation in an archive can have at most ${formatCount(archiveFormat.maxConversationMessages)}`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}

function createTooLarge(conversation: Opened<Conversation>, problem: string): RenderedConversation {
  const message = `The conversation was skipped: ${problem}. listConversationMessages returns its messages.`;
  const error = { line: null, id: conversation.id, code: 'conversation_too_large', message };
  return { conversation, lines: [], bytes: 0, error };
}
