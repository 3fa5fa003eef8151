import type { ParleyEvents } from '../sdk/typescript/src/widget.ts';
import type { WidgetSession } from '../api/widget/widget.schemas.ts';
import type { ShownMessage } from './session/transcript.ts';

type Listener = (data: never) => unknown;

/** Part of the chat whose changes the page can listen to. */
interface ObservedChat {
  readonly messages: readonly Pick<ShownMessage, 'id' | 'key' | 'role' | 'content' | 'state'>[];
  readonly status: WidgetSession['status'];
}

/**
 * Calls the functions of the page that listen to the widget's events. An error of a listener is reported, and
 * stops neither the widget nor other listeners.
 */
export class PageEvents {
  readonly #reportError: (error: unknown) => void;
  readonly #listeners = new Map<string, Set<Listener>>();
  #knownKeys: Set<string> | undefined;
  #status: WidgetSession['status'] | undefined;

  constructor(reportError: (error: unknown) => void) {
    this.#reportError = reportError;
  }

  /** @returns a function that removes the listener */
  on<E extends keyof ParleyEvents>(event: E, listener: (data: ParleyEvents[E]) => unknown): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  emit<E extends keyof ParleyEvents>(event: E, data: ParleyEvents[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        listener(data as never);
      } catch (error) {
        this.#reportError(error);
      }
    }
  }

  /**
   * Starts to compare the chat with its current state, to find events. Messages of the stored conversation
   * cause no event.
   */
  start({ messages, status }: ObservedChat): void {
    this.#knownKeys = new Set(messages.filter(isComplete).map(({ key }) => key));
    this.#status = status;
  }

  /**
   * Emits events for the changes of the chat since the last call. Earlier messages that the visitor loads
   * cause no event.
   */
  compare({ messages, status }: ObservedChat): void {
    const known = this.#knownKeys;
    if (!known) return;
    const newestKnown = messages.findLastIndex(({ key }) => known.has(key));
    messages.forEach((message, index) => {
      if (!isComplete(message) || known.has(message.key)) return;
      known.add(message.key);
      const { id, role, content } = message;
      if (index > newestKnown) this.emit('message', { id: id!, role, content });
    });
    if (status === this.#status) return;
    this.#status = status;
    this.emit('status', status);
  }
}

function isComplete({ id, state }: ObservedChat['messages'][number]): boolean {
  return id !== null && state === 'whole';
}
