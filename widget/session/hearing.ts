import type { HandoffState, VisitorMessageRead, WidgetEvent } from './api-client.ts';
import type { Store } from './store.ts';
import type { ShownMessage, Transcript } from './transcript.ts';
import type { Unread } from './unread.ts';

export interface HearingDeps {
  store: Store;
  transcript: Transcript;
  unread: Unread;
  handedOver(told: HandoffState): void;
  /** @param isGone whether the conversation was deleted */
  ended(isGone: boolean): void;
  changed(): void;
}

/** Applies the events of the API's streams to the conversation. */
export class Hearing {
  readonly #deps: HearingDeps;

  constructor(deps: HearingDeps) {
    this.#deps = deps;
  }

  /** @param question message that the event's answer belongs to; none for an event of the conversation */
  heard(event: WidgetEvent, question?: ShownMessage): void {
    const { transcript, handedOver, ended, changed } = this.#deps;
    switch (event.event) {
      case 'message.started':
        if (question) transcript.stored(question, event.data.reply_to_id);
        transcript.grow(event.data.message_id);
        break;
      case 'delta': {
        const answer = transcript.growing();
        if (answer) answer.content += event.data.text;
        break;
      }
      case 'handoff':
        handedOver(event.data);
        break;
      case 'ended':
        ended(event.data.ended_at === null);
        break;
      case 'done':
      case 'message':
        this.#said(event.data.message, question);
        break;
      case 'closed':
      case 'citations':
      case 'error':
        // The stored message follows and contains these; a closed stream says nothing about the conversation.
        break;
    }
    changed();
  }

  #said(said: VisitorMessageRead, question?: ShownMessage): void {
    const { store, transcript, unread } = this.#deps;
    const isKnown = transcript.find(said.id)?.state === 'whole';
    // A question is displayed before its answer until its own time of storage is known.
    if (question) question.createdAt ??= said.created_at;
    if (question && said.role === 'user') {
      // No answer follows: a person has taken over the conversation.
      transcript.dropGrowing();
      transcript.stored(question, said.id);
    } else {
      transcript.put(said);
    }
    store.update({ history: transcript.history() });
    if (!isKnown && said.role !== 'user' && said.role !== 'system') unread.add();
    else unread.see();
  }
}
