import type { ConversationNote, Message } from '../../../client/types.ts';

type Speaker = Exclude<Message['role'], 'system'>;

/** Messages of one author that follow each other closely. */
export interface MessageGroup {
  kind: 'messages';
  key: string;
  role: Speaker;
  author: string | null;
  messages: Message[];
}

export type ThreadPart =
  | MessageGroup
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'event'; key: string; message: Message }
  | { kind: 'note'; key: string; note: ConversationNote };

export interface ThreadContent {
  messages: readonly Message[];
  notes: readonly ConversationNote[];
  /**
   * Time up to which the user had read the conversation; undefined if the whole conversation is new or read.
   */
  readUntil: string | undefined;
}

/** Milliseconds without a message after which the next message shows its author again. */
const GROUP_MS = 5 * 60_000;

/**
 * Arranges messages and notes of a conversation by time: with a line for each day, and a line above the first
 * unread message.
 */
export function buildThread({ messages, notes, readUntil }: ThreadContent): ThreadPart[] {
  const parts: ThreadPart[] = [];
  let day = '';
  let isMarked = readUntil === undefined;
  const startDay = (at: string): void => {
    const next = new Date(at).toDateString();
    if (next !== day) parts.push({ kind: 'day', key: next, at });
    day = next;
  };
  const waiting = [...notes].sort((a, b) => a.created_at.localeCompare(b.created_at));
  const addNotesUntil = (at: string | null): void => {
    while (waiting[0] !== undefined && (at === null || waiting[0].created_at < at)) {
      const note = waiting.shift()!;
      startDay(note.created_at);
      parts.push({ kind: 'note', key: note.id, note });
    }
  };
  for (const message of messages) {
    const { id, role, created_at: at } = message;
    addNotesUntil(at);
    startDay(at);
    if (!isMarked && role === 'user' && at > readUntil!) {
      parts.push({ kind: 'unread', key: 'unread' });
      isMarked = true;
    }
    const last = parts.at(-1);
    if (role === 'system') parts.push({ kind: 'event', key: id, message });
    else if (last?.kind === 'messages' && continues(last, message)) last.messages.push(message);
    else parts.push({ kind: 'messages', key: id, role, author: message.author_name, messages: [message] });
  }
  addNotesUntil(null);
  return parts;
}

function continues({ role, author, messages }: MessageGroup, next: Message): boolean {
  const pause = Date.parse(next.created_at) - Date.parse(messages.at(-1)!.created_at);
  return role === next.role && author === next.author_name && pause < GROUP_MS;
}
