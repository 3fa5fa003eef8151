import type { VisitorEvent } from '../../services/conversations/live/visitor-events.ts';
import { presentVisitorMessage } from '../conversations/messages.presenter.ts';
import { EVENT_STREAM } from '../http/response/event-stream.ts';
import { defineOperation, replyWith, type ServerSentEvent } from '../http/operation.ts';
import { presentHandoff } from './widget.presenter.ts';
import { SessionParams, WidgetEvent } from './widget.schemas.ts';
import { visitorAccess } from './visitor-access.ts';

export const streamWidgetEvents = defineOperation({
  id: 'streamWidgetEvents',
  readsContent: true,
  ...visitorAccess,
  method: 'GET',
  path: '/api/public/sessions/{session_id}/events',
  params: SessionParams,
  headers: {
    'Last-Event-ID':
      'The id of the last event received. Messages from the team after this event are sent first.',
  },
  responses: {
    200: {
      description:
        'The assignee, messages from the team, and the end of the conversation. While the stream is open, the visitor counts as present. After `closed`, reconnect only when the visitor returns to the page.',
      content: { [EVENT_STREAM]: WidgetEvent },
    },
  },
  summary: 'Stream handoffs, messages from the team and the end of the session as they happen.',
  handle: async ({ ctx, headers, getCloseSignal }, { conversations: { visitorEvents } }) => {
    const lastEventId = headers['last-event-id'];
    const after = typeof lastEventId === 'string' ? lastEventId : undefined;
    return replyWith.stream(serverSent(visitorEvents.stream(ctx, after, getCloseSignal())));
  },
});

async function* serverSent(events: AsyncIterable<VisitorEvent>): AsyncGenerator<ServerSentEvent> {
  for await (const event of events) yield { id: event.position, event: event.type, data: presentData(event) };
}

function presentData(event: VisitorEvent): unknown {
  switch (event.type) {
    case 'message':
      return { message: presentVisitorMessage(event.message) };
    case 'handoff':
      return presentHandoff(event.session);
    case 'closed':
      return { reason: event.reason };
    case 'ended':
      return { ended_at: event.endedAt?.toISOString() ?? null };
  }
}
