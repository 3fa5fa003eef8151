import { archiveFormat } from '../../../core/archive/archive-format.ts';
import { LoopSlices } from '../../../core/concurrency/loop-slices.ts';
import { groupItems } from '../../../core/group-items.ts';
import { sizeText } from '../../../core/text/size-text.ts';
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

/** A conversation as lines of an archive, or an error if it exceeds the archive's limits. */
export interface RenderedConversation {
  conversation: Opened<Conversation>;
  lines: Buffer[];
  bytes: number;
  error: ArchiveJobError | null;
}

const MAX_MESSAGES_PER_QUERY = 4000;
/** Conversations with more messages than this are measured by a query before their messages are read. */
const MAX_UNCHECKED_MESSAGES = 500;

/** Converts conversations to lines of an archive, in the given order, each followed by its messages. */
export async function* renderConversations(
  source: ArchiveSourceRepository,
  scope: OrgScope,
  conversations: readonly Opened<Conversation>[],
  includesContacts: boolean,
): AsyncGenerator<RenderedConversation, void, undefined> {
  const slices = new LoopSlices();
  for (const group of groupByMessageCount(conversations)) {
    const readable: Opened<Conversation>[] = [];
    for (const each of group) if (await isReadable(source, scope, each)) readable.push(each);
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
      const record = () =>
        toConversationRecord(each, handoffsByConversation.get(each.id) ?? [], includesContacts);
      yield readable.includes(each)
        ? await renderConversation(each, record(), messagesByConversation.get(each.id) ?? [], slices)
        : tooLarge(each);
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

async function isReadable(
  source: ArchiveSourceRepository,
  scope: OrgScope,
  { id, messageCount }: Pick<Conversation, 'id' | 'messageCount'>,
): Promise<boolean> {
  return (
    messageCount <= MAX_UNCHECKED_MESSAGES ||
    (await source.sumContentBytes(scope, id)) <= archiveFormat.maxConversationBytes
  );
}

/**
 * Converts a conversation to lines. Stops at the size limit, since converting 16 MB takes a third of a
 * second.
 */
async function renderConversation(
  conversation: Opened<Conversation>,
  record: object,
  messages: readonly Opened<ArchivedMessage>[],
  slices: LoopSlices,
): Promise<RenderedConversation> {
  const { maxConversationBytes, maxConversationMessages, maxLineBytes } = archiveFormat;
  const first = toArchiveLine(record);
  if (!fitsArchive(first) || messages.length > maxConversationMessages) return tooLarge(conversation);
  const lines = [first];
  let bytes = first.length;
  for (const message of messages) {
    await slices.pauseIfDue();
    const line = toArchiveLine(toMessageRecord(message));
    bytes += line.length;
    if (line.length > maxLineBytes || bytes > maxConversationBytes) return tooLarge(conversation);
    lines.push(line);
  }
  return { conversation, lines, bytes, error: null };
}

function tooLarge(conversation: Opened<Conversation>): RenderedConversation {
  const { maxConversationBytes, maxConversationMessages, maxLineBytes } = archiveFormat;
  const message = `The conversation was skipped: it exceeds ${sizeText(maxConversationBytes)} or ${maxConversationMessages} messages, has a message that exceeds ${sizeText(maxLineBytes)}, or has custom fields that nest too deeply.`;
  const error = { line: null, id: conversation.id, code: 'conversation_too_large', message };
  return { conversation, lines: [], bytes: 0, error };
}
