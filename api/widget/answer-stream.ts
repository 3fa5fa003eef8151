import type {
  AnswerEvent,
  LiveAnswer,
  ReadingPosition,
} from '../../services/conversations/answering/live-answer.ts';
import type { Turn } from '../../services/conversations/answering/turn-service.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { VisitorSession } from '../../services/conversations/widget-service.ts';
import { presentVisitorMessage } from '../conversations/messages.presenter.ts';
import type { ServerSentEvent } from '../http/operation.ts';
import { presentHandoff } from './widget.presenter.ts';

/**
 * Streams the events of a bot's answer to the widget. Event ids have the form `<message>:<position>:<mark>`.
 * @param lastEventId id of the last event that the client received before it reconnected
 * @param handoff loads the state of the handoff, for the event that says that the bot does not answer
 */
export async function* answerStream(
  { message, answer }: Turn,
  lastEventId: string | undefined,
  handoff: () => Promise<VisitorSession>,
): AsyncGenerator<ServerSentEvent> {
  const events = answer ? answer.events(parsePosition(answer, lastEventId)) : listHandoffEvents(message);
  for await (const event of events) {
    const data = event.type === 'handoff' ? presentHandoff(await handoff()) : presentData(event);
    const { position, mark } = event;
    yield { id: `${answer?.messageId ?? message.id}:${position}:${mark}`, event: event.type, data };
  }
}

/**
 * Returns the stream events for a visitor's message that the bot does not answer, because a person handles
 * the conversation.
 */
function* listHandoffEvents(message: Opened<Message>): Generator<AnswerEvent> {
  yield { type: 'handoff', position: 0, mark: '0' };
  yield { type: 'done', position: 1, mark: '0', message };
}

/**
 * Parses the position in an answer from which to resume the stream; undefined if the event id belongs to
 * another answer.
 */
function parsePosition(
  { messageId }: LiveAnswer,
  lastEventId: string | undefined,
): ReadingPosition | undefined {
  const [, id, position, mark = ''] = /^([^:]+):(\d+):(\w+)$/.exec(lastEventId ?? '') ?? [];
  return id === messageId ? { position: Number(position), mark } : undefined;
}

function presentData(event: Exclude<AnswerEvent, { type: 'handoff' }>): unknown {
  switch (event.type) {
    case 'message.started':
      return { message_id: event.messageId, reply_to_id: event.replyToId };
    case 'delta':
      return { text: event.text };
    case 'citations':
      return { citations: event.citations };
    case 'error':
      return { code: event.code, message: event.message };
    case 'done':
      return { message: presentVisitorMessage(event.message) };
  }
}
