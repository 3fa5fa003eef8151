import { Type } from '@sinclair/typebox';
import { defineOperation } from '../http/operation.ts';
import { Message, Uuid } from '../http/schemas/schemas.ts';
import { SessionParams } from './widget.schemas.ts';
import { visitorAccess } from './visitor-access.ts';

export const stopWidgetAnswer = defineOperation({
  ...visitorAccess,
  id: 'stopWidgetAnswer',
  method: 'POST',
  path: '/api/ext/public/sessions/{session_id}/messages/{message_id}/stop',
  params: Type.Object({ ...SessionParams.properties, message_id: Uuid('The answer.') }),
  responses: { 200: Message },
  errors: ['conflict', 'not_found', 'forbidden'],
  summary:
    'Stop an answer while it is generated. Its text so far becomes the answer, with `stopped_at`. Does nothing if the answer is complete.',
  handle: async ({ ctx, params }, { conversations: { turns } }) => {
    await turns.stop(ctx, params.message_id);
    return { message: 'The answer was stopped, or was already complete.' };
  },
});
