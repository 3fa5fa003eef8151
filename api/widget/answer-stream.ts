import { BEGINNING, type AnswerEvent, type LiveAnswer } from '../../services/answering/live-answer.ts';
import type { Turn } from '../../services/answering/turns.service.ts';
import { presentVisitorMessage } from '../conversations/messages.presenter.ts';
import type { ServerSentEvent } from '../http/operation.ts';

/**
 * The events of a turn's answer; their ids are `<message>:<position>`.
 * @param lastEventId what the client has seen of the same answer before it lost the connection
 */
export async function* answerStream(
  { message, answer }: Turn,
  lastEventId: string | undefined,
): AsyncGenerator<ServerSentEvent> {
  if (!answer) {
    yield { id: `${message.id}:0`, event: 'done', data: { message: presentVisitorMessage(message) } };
    return;
  }
  for await (const event of answer.events(positionIn(answer, lastEventId))) {
    yield { id: `${answer.messageId}:${event.position}`, event: event.type, data: dataOf(event) };
  }
}

function positionIn({ messageId }: LiveAnswer, lastEventId: string | undefined): number {
  const [id, position] = (lastEventId ?? '').split(':');
  return id === messageId && position !== undefined && /^\d+$/.test(position) ? Number(position) : BEGINNING;
}

function dataOf(event: AnswerEvent): unknown {
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
