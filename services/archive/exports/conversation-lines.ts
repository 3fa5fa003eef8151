import { archiveFormat } from '../../../core/archive/archive-format.ts';
import { LoopSlices } from '../../../core/concurrency/loop-slices.ts';
import { groupedBy } from '../../../core/grouped.ts';
import { sizeText } from '../../../core/text/size-text.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { ArchiveSourceRepository } from '../../../repositories/archive/archive-source.repository.ts';
import type { ArchivedMessage } from '../../../repositories/archive/archive-source.sql.ts';
import { conversationRecord, isTakenBack, lineOf, messageRecord } from './records-of.ts';

/** A conversation as it goes into an archive, or why it does not. */
export interface RenderedConversation {
  conversation: Opened<Conversation>;
  lines: Buffer[];
  bytes: number;
  error: ArchiveJobError | null;
}

/** Messages that are read at once. */
const MESSAGES_AT_ONCE = 4000;
/** With more messages than that, it is asked how much they say before they are read. */
const MANY_MESSAGES = 500;

/** Conversations in their order, each with its messages. */
export async function* renderedConversations(
  source: ArchiveSourceRepository,
  scope: OrgScope,
  conversations: readonly Opened<Conversation>[],
  includesContacts: boolean,
): AsyncGenerator<RenderedConversation, void, undefined> {
  const slices = new LoopSlices();
  for (const group of groupsOf(conversations)) {
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
    const messagesOf = new Map(groupedBy(messages, ({ conversationId }) => conversationId));
    const handoffsOf = new Map(groupedBy(handoffs, ({ conversationId }) => conversationId));
    for (const each of group) {
      const record = () => conversationRecord(each, handoffsOf.get(each.id) ?? [], includesContacts);
      yield readable.includes(each)
        ? await render(each, record(), messagesOf.get(each.id) ?? [], slices)
        : tooLarge(each);
    }
  }
}

function groupsOf(conversations: readonly Opened<Conversation>[]): Opened<Conversation>[][] {
  const groups: Opened<Conversation>[][] = [];
  let left = 0;
  for (const each of conversations) {
    if (left < each.messageCount || groups.length === 0) {
      groups.push([]);
      left = MESSAGES_AT_ONCE;
    }
    groups.at(-1)!.push(each);
    left -= each.messageCount;
  }
  return groups;
}

async function isReadable(
  source: ArchiveSourceRepository,
  scope: OrgScope,
  { id, messageCount }: Pick<Conversation, 'id' | 'messageCount'>,
): Promise<boolean> {
  return (
    messageCount <= MANY_MESSAGES ||
    (await source.contentBytes(scope, id)) <= archiveFormat.maxConversationBytes
  );
}

/** Writes the lines of a conversation, and stops at one more than it may have: 16 MB of JSON take a third of a second. */
async function render(
  conversation: Opened<Conversation>,
  record: object,
  messages: readonly Opened<ArchivedMessage>[],
  slices: LoopSlices,
): Promise<RenderedConversation> {
  const { maxConversationBytes, maxLineBytes } = archiveFormat;
  const first = lineOf(record);
  if (!isTakenBack(first)) return tooLarge(conversation);
  const lines = [first];
  let bytes = first.length;
  for (const message of messages) {
    await slices.pauseIfDue();
    const line = lineOf(messageRecord(message));
    bytes += line.length;
    if (line.length > maxLineBytes || bytes > maxConversationBytes) return tooLarge(conversation);
    lines.push(line);
  }
  return { conversation, lines, bytes, error: null };
}

function tooLarge(conversation: Opened<Conversation>): RenderedConversation {
  const { maxConversationBytes, maxLineBytes } = archiveFormat;
  const message = `The conversation is left out: it has more than ${sizeText(maxConversationBytes)}, a message of more than ${sizeText(maxLineBytes)}, or custom fields that nest too deep.`;
  const error = { line: null, id: conversation.id, code: 'conversation_too_large', message };
  return { conversation, lines: [], bytes: 0, error };
}
