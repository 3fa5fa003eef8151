import { Readable } from 'node:stream';
import { formatContentDisposition } from '../../adapters/storage/filename.ts';
import { defineOperation, replyWith } from '../http/operation.ts';
import { ConversationParams } from './conversations.schemas.ts';
import { writeTranscript } from './transcript.presenter.ts';
import {
  ConversationTranscript,
  TranscriptQuery,
  transcriptFormats,
  transcriptTypes,
} from './transcript.schemas.ts';

export const getConversationTranscript = defineOperation({
  id: 'getConversationTranscript',
  readsContent: true,
  method: 'GET',
  path: '/api/conversations/{conversation_id}/transcript',
  tag: 'conversations',
  auth: 'member',
  scope: 'conversations:read',
  role: 'viewer',
  params: ConversationParams,
  query: TranscriptQuery,
  responses: {
    200: {
      content: {
        [transcriptTypes.txt]: null,
        [transcriptTypes.csv]: null,
        [transcriptTypes.json]: ConversationTranscript,
      },
      description:
        'The conversation, as an attachment. In CSV, an apostrophe precedes any text that a spreadsheet would read as a formula.',
    },
  },
  summary: 'The transcript of a conversation, as text, CSV or JSON.',
  handle: async ({ ctx, params, query, accepts }, { conversations: { conversations }, team: { orgs } }) => {
    const format =
      query.format ?? transcriptFormats.find((each) => transcriptTypes[each] === accepts) ?? 'txt';
    const transcript = await conversations.getTranscript(ctx, params.conversation_id);
    const { time_zone: timeZone } = format === 'txt' ? await orgs.getSettings(ctx) : {};
    return replyWith.file({
      content: Readable.from(writeTranscript(format, transcript, timeZone)),
      contentType: `${transcriptTypes[format]}; charset=utf-8`,
      headers: {
        'Content-Disposition': formatContentDisposition(
          `conversation-${transcript.conversation.id}.${format}`,
        ),
      },
    });
  },
});
