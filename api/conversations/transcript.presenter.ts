import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import { formatCsvLine } from '../../core/text/csv.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Message, MessageRole } from '../../entities/conversations/message.entity.ts';
import type { Transcript } from '../../services/conversations/conversation-service.ts';
import { formatForTeam } from '../../services/conversations/system-messages.ts';
import { presentConversation } from './conversations.presenter.ts';
import { presentMessage } from './messages.presenter.ts';
import type { TranscriptFormat } from './transcript.schemas.ts';

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
/**
 * Maximum number of characters in a chunk of message text: indenting takes only a millisecond or two even if
 * the chunk consists of line breaks.
 */
const MAX_CHUNK_LENGTH = 16 * 1024;

const speakers: Record<MessageRole, string> = {
  user: 'Visitor',
  assistant: 'Assistant',
  agent: 'Team',
  system: 'System',
};

const writers: Record<
  TranscriptFormat,
  (transcript: Transcript, timeZone?: string) => AsyncGenerator<string>
> = {
  txt: asText,
  csv: asCsv,
  json: asJson,
};

/**
 * Yields a conversation's transcript as a file in chunks.
 * @param timeZone time zone of times in the text format; CSV and JSON use UTC
 */
export function writeTranscript(
  format: TranscriptFormat,
  transcript: Transcript,
  timeZone?: string,
): AsyncGenerator<string> {
  return writers[format](transcript, timeZone);
}

async function* asText({ conversation, messages }: Transcript, timeZone?: string) {
  const { id, createdAt, endedAt } = conversation;
  const formatTime = timeFormat(timeZone);
  yield `Conversation ${id}\nBegan ${formatTime(createdAt)}${endedAt ? `, ended ${formatTime(endedAt)}` : ''}\n`;
  for await (const message of messages) {
    await pauseIfDue();
    yield `\n[${formatTime(message.createdAt)}] ${nameSpeaker(message)}\n`;
    for (const piece of indentText(formatText(message))) {
      yield piece;
      await pauseIfDue();
    }
    yield '\n';
  }
}

function timeFormat(timeZone: string | undefined): (time: Date) => string {
  if (timeZone === undefined) return (time) => time.toISOString();
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  return (time) => `${format.format(time)} ${timeZone}`;
}

/** Returns the name of a message's author on one line, even if the name contains line breaks. */
function nameSpeaker({ role, authorName }: Pick<Message, 'role' | 'authorName'>): string {
  const isNamed = role === 'agent' && authorName !== null;
  return isNamed ? `${speakers[role]} (${authorName.split(LINE_BREAK).join(' ')})` : speakers[role];
}

function formatText(message: Opened<Message>): string {
  const sources = (message.citations ?? []).map(
    ({ index, title, source_url: url }) => `[${index}] ${title}${url === null ? '' : `, ${url}`}`,
  );
  const mark = message.stoppedAt ? ['(Stopped by the visitor)'] : [];
  return [formatForTeam(message), ...mark, ...sources].join('\n');
}

/**
 * Indents all lines of a message in a text transcript, so that no line can imitate the beginning of another
 * message.
 */
function* indentText(text: string): Generator<string> {
  let piece = '';
  let from = 0;
  for (const { 0: lineBreak, index } of text.matchAll(LINE_BREAK)) {
    piece += `${indentLine(text.slice(from, index))}\n`;
    from = index + lineBreak.length;
    if (piece.length < MAX_CHUNK_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece + indentLine(text.slice(from));
}

function indentLine(line: string): string {
  const text = line.trimEnd();
  return text === '' ? '' : `    ${text}`;
}

async function* asCsv({ messages }: Transcript) {
  yield formatCsvLine(['id', 'created_at', 'role', 'content', 'author_name']);
  for await (const message of messages) {
    // Yields to the event loop, since messages arrive in batches and this loop rarely waits.
    await pauseIfDue();
    const { id, createdAt, role, authorName } = message;
    yield formatCsvLine([id, createdAt.toISOString(), role, formatForTeam(message), authorName]);
  }
}

async function* asJson({ messages, ...known }: Transcript) {
  yield `{"conversation":${JSON.stringify(presentConversation(known))},"messages":[`;
  let separator = '';
  for await (const message of messages) {
    await pauseIfDue();
    yield `${separator}${JSON.stringify(presentMessage(message))}`;
    separator = ',';
  }
  yield ']}';
}
