import { Type } from '@sinclair/typebox';
import { StringEnum } from '../http/schemas/schemas.ts';
import { ConversationRead } from './conversations.schemas.ts';
import { MessageRead } from './messages.schemas.ts';

/** File formats of a conversation's transcript with their media types, the preferred one first. */
export const transcriptTypes = { txt: 'text/plain', csv: 'text/csv', json: 'application/json' } as const;
export type TranscriptFormat = keyof typeof transcriptTypes;
export const transcriptFormats = Object.keys(transcriptTypes) as TranscriptFormat[];

export const TranscriptQuery = Type.Object(
  {
    format: Type.Optional(
      StringEnum(transcriptFormats, {
        description: 'The file format; by default the Accept header decides.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ConversationTranscript = Type.Object(
  {
    conversation: ConversationRead,
    messages: Type.Array(MessageRead, { description: 'All messages, in chronological order.' }),
  },
  { $id: 'ConversationTranscript', description: 'A conversation as a file.' },
);
