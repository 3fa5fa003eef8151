import type { ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { HandoffRecord } from '../archive-records.ts';
import type { ArchivedChat } from './chat-assembler.ts';
import { assignOrderedIds } from './ordered-ids.ts';

/** Existing rows that may conflict with a batch of archived conversations. */
export interface ExistingChats {
  /**
   * Returns the two ids that an imported row can have: the archived id, which is preferred, and an id derived
   * from it.
   */
  toCandidateIds(archivedId: string): readonly [string, string];
  /** Ids of the workspace's existing bots, by the bots' ids in the archive. */
  bots: ReadonlyMap<string, string>;
  /** Ids of the workspace's conversations, except those of deleted bots. */
  existingIds: ReadonlySet<string>;
  /** Conversation ids in use in any workspace. */
  usedIds: ReadonlySet<string>;
  takenMessageIds: ReadonlySet<string>;
  isErased(chat: ArchivedChat): boolean;
}

/** A conversation that the import inserts, with the ids that its rows get. */
export interface AcceptedChat {
  chat: ArchivedChat;
  id: string;
  botId: string;
  /** New ids of the conversation's messages, by their ids in the archive. */
  messageIds: Map<string, string>;
}

export interface ClassifiedChats {
  accepted: AcceptedChat[];
  /**
   * Number of archived conversations that are skipped, since they exist already or their visitor was erased.
   */
  skipped: number;
  errors: ArchiveJobError[];
}

/** Decides for each archived conversation whether to insert it, skip it, or report an error. */
export function classifyChats(chats: readonly ArchivedChat[], existing: ExistingChats): ClassifiedChats {
  const classified: ClassifiedChats = { accepted: [], skipped: 0, errors: [] };
  const usedIds = new Set(existing.usedIds);
  const usedMessageIds = new Set(existing.takenMessageIds);
  const seenIds = new Set<string>();
  for (const chat of chats) {
    const { record } = chat;
    const ids = existing.toCandidateIds(record.id);
    if (seenIds.has(record.id) || ids.some((id) => existing.existingIds.has(id)) || existing.isErased(chat)) {
      classified.skipped += 1;
      continue;
    }
    seenIds.add(record.id);
    const botId = existing.bots.get(record.bot_id);
    const id = ids.find((each) => !usedIds.has(each));
    const messageIds = assignMessageIds(chat, existing, usedMessageIds);
    const problem =
      botId === undefined
        ? ([
            'unknown_bot',
            'The conversation belongs to a bot that is neither in the archive nor in this workspace.',
          ] as const)
        : id === undefined
          ? ([
              'being_removed',
              'The conversation is being deleted from this workspace; import it again once it is deleted.',
            ] as const)
          : messageIds === null
            ? (['duplicate_id', 'Two messages of the conversation have the same id.'] as const)
            : findProblem(chat);
    if (problem) classified.errors.push(createJobError(chat, problem));
    else if (id !== undefined && botId !== undefined && messageIds !== null) {
      usedIds.add(id);
      for (const each of messageIds.values()) usedMessageIds.add(each);
      classified.accepted.push({ chat, id, botId, messageIds });
    }
  }
  return classified;
}

/**
 * Gives all messages of a conversation their archived ids, or gives all messages alternative ids. Returns
 * null if both sets contain ids in use.
 */
function assignMessageIds(
  { messages }: ArchivedChat,
  { toCandidateIds }: ExistingChats,
  usedIds: ReadonlySet<string>,
): Map<string, string> | null {
  const archivedIds = new Map(messages.map(({ id }) => [id, id]));
  if (archivedIds.size < messages.length) return null;
  const areFree = (ids: Map<string, string>) => [...ids.values()].every((id) => !usedIds.has(id));
  if (areFree(archivedIds)) return archivedIds;
  const alternativeIds = assignOrderedIds(messages, (id) => toCandidateIds(id)[1]);
  return areFree(alternativeIds) ? alternativeIds : null;
}

/**
 * Returns the first inconsistency in an archived conversation, as error code and message; null if it is
 * consistent.
 */
function findProblem({ record, messages }: ArchivedChat): readonly [code: string, message: string] | null {
  if (record.handoffs?.some(hasWaitedTooLong))
    return ['invalid_handoff', 'A request for a person has waited longer than 68 years.'];
  const roles = new Map(messages.map(({ id, role }) => [id, role]));
  const answered = new Set<string>();
  for (const { reply_to_id: repliedTo, role } of messages) {
    if (!repliedTo) continue;
    const repliedRole = roles.get(repliedTo);
    if (repliedRole === undefined)
      return [
        'invalid_reply',
        'A message of the conversation replies to a message that is not in the conversation.',
      ];
    if (role !== 'assistant' || repliedRole !== 'user')
      return [
        'invalid_reply',
        'A reply in the conversation is not from the assistant, or is not to the visitor.',
      ];
    if (answered.has(repliedTo))
      return ['invalid_reply', 'Two messages of the conversation reply to the same message.'];
    answered.add(repliedTo);
  }
  return null;
}

/** Maximum of the database column for waiting times, in seconds. */
const MAX_WAIT_SECONDS = 2_147_483_647;

function hasWaitedTooLong({ requested_at: from, answered_at: to }: HandoffRecord): boolean {
  return typeof to === 'string' && Date.parse(to) - Date.parse(from) > MAX_WAIT_SECONDS * 1000;
}

function createJobError(
  { record, line }: ArchivedChat,
  [code, message]: readonly [string, string],
): ArchiveJobError {
  return { line, id: record.id, code, message };
}
