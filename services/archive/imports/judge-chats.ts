import type { ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { HandoffRecord } from '../archive-records.ts';
import type { ArchivedChat } from './chat-assembler.ts';
import { idsInOrder } from './ids-in-order.ts';

/** What there is here of a batch of conversations. */
export interface ChatsFound {
  /** The two ids that a row of the archive may have here, the first one first. */
  bothIds(archivedId: string): readonly [string, string];
  /** Bots here, by the archive's ids. */
  bots: ReadonlyMap<string, string>;
  /** Ids of conversations that are here, of bots that are not deleted. */
  known: ReadonlySet<string>;
  /** Ids that no new conversation may have. */
  taken: ReadonlySet<string>;
  takenMessageIds: ReadonlySet<string>;
  isErased(chat: ArchivedChat): boolean;
}

/** A conversation that is to be written, and its ids here. */
export interface AcceptedChat {
  chat: ArchivedChat;
  id: string;
  botId: string;
  /** By the archive's ids. */
  messageIds: Map<string, string>;
}

export interface JudgedChats {
  accepted: AcceptedChat[];
  /** They are here already, or their visitor was erased. */
  skipped: number;
  errors: ArchiveJobError[];
}

/** Decides what becomes of each conversation of a batch. */
export function judgeChats(chats: readonly ArchivedChat[], found: ChatsFound): JudgedChats {
  const judged: JudgedChats = { accepted: [], skipped: 0, errors: [] };
  const taken = new Set(found.taken);
  const takenMessages = new Set(found.takenMessageIds);
  const seen = new Set<string>();
  for (const chat of chats) {
    const { record } = chat;
    const ids = found.bothIds(record.id);
    if (seen.has(record.id) || ids.some((id) => found.known.has(id)) || found.isErased(chat)) {
      judged.skipped += 1;
      continue;
    }
    seen.add(record.id);
    const botId = found.bots.get(record.bot_id);
    const id = ids.find((each) => !taken.has(each));
    const messageIds = idsOfMessages(chat, found, takenMessages);
    const problem =
      botId === undefined
        ? ([
            'unknown_bot',
            'The conversation belongs to a bot that is neither in the archive nor here.',
          ] as const)
        : id === undefined
          ? ([
              'being_removed',
              'The conversation is being removed from this workspace; import it again when that is done.',
            ] as const)
          : messageIds === null
            ? (['duplicate_id', 'A message of the conversation has an id that another one has.'] as const)
            : problemOf(chat);
    if (problem) judged.errors.push(errorOf(chat, problem));
    else if (id !== undefined && botId !== undefined && messageIds !== null) {
      taken.add(id);
      for (const each of messageIds.values()) takenMessages.add(each);
      judged.accepted.push({ chat, id, botId, messageIds });
    }
  }
  return judged;
}

/** All as they are, or all others; null where neither are free. */
function idsOfMessages(
  { messages }: ArchivedChat,
  { bothIds }: ChatsFound,
  taken: ReadonlySet<string>,
): Map<string, string> | null {
  const same = new Map(messages.map(({ id }) => [id, id]));
  if (same.size < messages.length) return null;
  const areFree = (ids: Map<string, string>) => [...ids.values()].every((id) => !taken.has(id));
  if (areFree(same)) return same;
  const others = idsInOrder(messages, (id) => bothIds(id)[1]);
  return areFree(others) ? others : null;
}

/** What the records of a conversation say of each other that cannot be. */
function problemOf({ record, messages }: ArchivedChat): readonly [code: string, message: string] | null {
  if (record.handoffs?.some(hasWaitedTooLong))
    return ['invalid_handoff', 'A request for a person has waited longer than 68 years.'];
  const roles = new Map(messages.map(({ id, role }) => [id, role]));
  const answered = new Set<string>();
  for (const { reply_to_id: repliedTo, role } of messages) {
    if (!repliedTo) continue;
    const said = roles.get(repliedTo);
    if (said === undefined)
      return ['invalid_reply', 'A message of the conversation replies to one that is not in it.'];
    if (role !== 'assistant' || said !== 'user')
      return ['invalid_reply', 'A reply of the conversation is not the assistant’s, or not to its visitor.'];
    if (answered.has(repliedTo))
      return ['invalid_reply', 'Two messages of the conversation reply to the same one.'];
    answered.add(repliedTo);
  }
  return null;
}

/** As figures keep it, in seconds. */
const LONGEST_WAIT = 2_147_483_647;

function hasWaitedTooLong({ requested_at: from, answered_at: to }: HandoffRecord): boolean {
  return typeof to === 'string' && Date.parse(to) - Date.parse(from) > LONGEST_WAIT * 1000;
}

function errorOf(
  { record, line }: ArchivedChat,
  [code, message]: readonly [string, string],
): ArchiveJobError {
  return { line, id: record.id, code, message };
}
