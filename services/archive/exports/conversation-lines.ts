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
/** Number of messages above which a query measures a conversation's size before its messages are read. */
const MAX_UNCHECKED_MESSAGES = 500;
const TOO_MANY_BYTES = `its messages exceed ${formatSize(archiveFormat.maxConversationBytes)}`;
const TOO_LONG_MESSAGE = `one of its messages exceeds ${formatSize(archiveFormat.maxLineBytes)}`;
const UNFIT_RECORD = `its fields exceed ${formatSize(archiveFormat.maxLineBytes)} or nest too deeply`;

/** Converts conversations to lines of an archive, in the given order, each followed by its messages. */
export async function* renderConversations(
  source: ArchiveSourceRepository,
  scope: OrgScope,
  conversations: readonly Opened<Conversation>[],
  includesContacts: boolean,
): AsyncGenerator<RenderedConversation, void, undefined> {
  for (const group of groupByMessageCount(conversations)) {
    const problems = new Map<string, string>();
    for (const each of group) {
      const problem = await findSizeProblem(source, scope, each);
      if (problem !== null) problems.set(each.id, problem);
    }
    const readable = group.filter(({ id }) => !problems.has(id));
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
      const problem = problems.get(each.id);
      if (problem !== undefined) {
        yield createTooLarge(each, problem);
        continue;
      }
      const record = toConversationRecord(each, handoffsByConversation.get(each.id) ?? [], includesContacts);
      yield await renderConversation(each, record, messagesByConversation.get(each.id) ?? []);
    }
  }
}

function groupByMessageCount(conversations: readonly Opened<Conversation>[]): Opened<Conversation>[][] {
  const groups: Opened<Conversation>[][] = [];
  let remaining = 0;
  for (const each of conversations) {
    if (remaining < each.messageCount || groups.length === 0) {
      groups.push([]);
      remaining = MAX_MESSAGES_PER_QUERY;
    }
    groups.at(-1)!.push(each);
    remaining -= each.messageCount;
  }
  return groups;
}

/** Returns why a conversation is too large to be read; null if it is not. */
async function findSizeProblem(
  source: ArchiveSourceRepository,
  scope: OrgScope,
  { id, messageCount }: Pick<Conversation, 'id' | 'messageCount'>,
): Promise<string | null> {
  if (messageCount <= MAX_UNCHECKED_MESSAGES) return null;
  if (messageCount > archiveFormat.maxConversationMessages) return describeMessageCount(messageCount);
  const bytes = await source.sumContentBytes(scope, id);
  return bytes > archiveFormat.maxConversationBytes ? TOO_MANY_BYTES : null;
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
  return `it has ${formatCount(count)} messages, but in an archive it can have at most ${formatCount(archiveFormat.maxConversationMessages)}`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}

function createTooLarge(conversation: Opened<Conversation>, problem: string): RenderedConversation {
  const message = `The conversation was skipped: ${problem}. listConversationMessages returns its messages.`;
  const error = { line: null, id: conversation.id, code: 'conversation_too_large', message };
  return { conversation, lines: [], bytes: 0, error };
}
