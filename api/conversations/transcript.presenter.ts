import { csvLine } from '../../core/text/csv.ts';
import type { Message, MessageRole } from '../../entities/conversations/message.entity.ts';
import type { Transcript } from '../../services/conversations/conversations.service.ts';
import { textForTeam } from '../../services/conversations/system-messages.ts';
import { presentConversation } from './conversations.presenter.ts';
import { presentMessage } from './messages.presenter.ts';
import type { TranscriptFormat } from './transcript.schemas.ts';

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

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

/** The file, piece by piece. @param timeZone of the times in a text for people; those for programs are always UTC */
export function writeTranscript(
  format: TranscriptFormat,
  transcript: Transcript,
  timeZone?: string,
): AsyncGenerator<string> {
  return writers[format](transcript, timeZone);
}

async function* asText({ conversation, messages }: Transcript, timeZone?: string) {
  const { id, createdAt, endedAt } = conversation;
  const timeOf = timeFormat(timeZone);
  yield `Conversation ${id}\nBegan ${timeOf(createdAt)}${endedAt ? `, ended ${timeOf(endedAt)}` : ''}\n`;
  for await (const message of messages) {
    yield `\n[${timeOf(message.createdAt)}] ${speakerOf(message)}\n${indented(textOf(message))}\n`;
  }
}

function timeFormat(timeZone: string | undefined): (time: Date) => string {
  if (timeZone === undefined) return (time) => time.toISOString();
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  return (time) => `${format.format(time)} ${timeZone}`;
}

/** On one line, whatever the author is called. */
function speakerOf({ role, authorName }: Message): string {
  const isNamed = role === 'agent' && authorName !== null;
  return isNamed ? `${speakers[role]} (${authorName.split(LINE_BREAK).join(' ')})` : speakers[role];
}

function textOf(message: Message): string {
  const sources = (message.citations ?? []).map(
    ({ index, title, source_url: url }) => `[${index}] ${title}${url === null ? '' : `, ${url}`}`,
  );
  return [textForTeam(message), ...sources].join('\n');
}

/** So that no message can pass for the beginning of another one. */
function indented(text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
}

async function* asCsv({ messages }: Transcript) {
  yield csvLine(['id', 'created_at', 'role', 'content', 'author_name']);
  for await (const message of messages) {
    const { id, createdAt, role, authorName } = message;
    yield csvLine([id, createdAt.toISOString(), role, textForTeam(message), authorName]);
  }
}

async function* asJson({ messages, ...known }: Transcript) {
  yield `{"conversation":${JSON.stringify(presentConversation(known))},"messages":[`;
  let separator = '';
  for await (const message of messages) {
    yield `${separator}${JSON.stringify(presentMessage(message))}`;
    separator = ',';
  }
  yield ']}';
}
