import type { HandoffState, VisitorMessageRead, WidgetEvent } from './api-client.ts';
import type { Store } from './store.ts';
import type { ShownMessage, Transcript } from './transcript.ts';
import type { Unread } from './unread.ts';

export interface StreamEventHandlerDeps {
  store: Store;
  transcript: Transcript;
  unread: Unread;
  onHandoff(state: HandoffState): void;
  /**
   * Called when the conversation has ended or was deleted.
   * @param isGone true if it was deleted
   */
  onEnded(isGone: boolean): void;
  onChange(): void;
}

/** Applies the events of the API's streams to the displayed conversation. */
export class StreamEventHandler {
  readonly #deps: StreamEventHandlerDeps;

  constructor(deps: StreamEventHandlerDeps) {
    this.#deps = deps;
  }

  /** @param question message that the event answers; undefined for an event of the conversation */
  handle(event: WidgetEvent, question?: ShownMessage): void {
    const { transcript, onHandoff, onEnded, onChange } = this.#deps;
    switch (event.event) {
      case 'message.started':
        if (question) transcript.markStored(question, event.data.reply_to_id);
        transcript.startAnswer(event.data.message_id);
        break;
      case 'delta': {
        const answer = transcript.findGrowing();
        if (answer) answer.content += event.data.text;
        break;
      }
      case 'handoff':
        onHandoff(event.data);
        break;
      case 'ended':
        onEnded(event.data.ended_at === null);
        break;
      case 'done':
      case 'message':
        this.#addMessage(event.data.message, question);
        break;
      case 'closed':
      case 'citations':
      case 'error':
        // Ignore these events of the stream: the complete message follows and contains them. A closed stream
        // does not change the conversation.
        break;
    }
    onChange();
  }

  #addMessage(message: VisitorMessageRead, question?: ShownMessage): void {
    const { store, transcript, unread } = this.#deps;
    const isKnown = transcript.find(message.id)?.state === 'whole';
    // Give the visitor's question the time of its answer, so that the question stays before the answer until
    // the API has sent its own time.
    if (question) question.createdAt ??= message.created_at;
    if (question && message.role === 'user') {
      // Remove the bot's empty answer: an agent has taken over, so the bot does not answer.
      transcript.dropGrowing();
      transcript.markStored(question, message.id);
    } else {
      transcript.put(message);
    }
    store.update({ history: transcript.toHistory() });
    if (!isKnown && message.role !== 'user' && message.role !== 'system') unread.add();
    else unread.markSeen();
  }
}
