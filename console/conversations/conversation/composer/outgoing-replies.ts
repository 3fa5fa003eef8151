import { generateBrowserId } from '../../../../browser/new-id.ts';
import { toApiError } from '../../../client/api-error.ts';
import type { Message } from '../../../client/types.ts';
import { Store } from '../../../client/store.ts';
import { storeTabValue, readTabValue } from '../tab-storage.ts';

/** A reply that the user has sent but the conversation does not show yet. */
export interface OutgoingReply {
  /** Idempotency key of all attempts to send the reply, so that the visitor receives it only once. */
  idempotencyKey: string;
  text: string;
  /** Whether to resolve the conversation after sending the reply. */
  resolves: boolean;
  state: 'sending' | 'sent' | 'failed';
  /** Message of the error with which the last attempt to send the reply failed; null if it did not fail. */
  problem: string | null;
  /** Whether the API rejected the reply, so that the visitor has certainly not received it. */
  isRefused: boolean;
  /** Id of the message that the API created for the reply. */
  messageId: string | null;
}

/**
 * Sends a reply to the API.
 * @throws ApiError
 */
export type SendReply = (reply: OutgoingReply) => Promise<Message>;

const PAGE_LEFT = 'Delivery unconfirmed. If you retry, the reply is not sent twice.';
const EARLIER_FAILED = 'Not sent: an earlier message failed.';

/**
 * Sends the replies of one conversation one after the other. Session storage keeps unsent replies across
 * reloads.
 */
export class OutgoingReplies extends Store<readonly OutgoingReply[]> {
  #isBusy = false;
  #isClosed = false;

  constructor(conversationId: string) {
    const stored = readTabValue<OutgoingReply[]>('outgoing', conversationId) ?? [];
    super(
      stored.map((reply) =>
        reply.state === 'sending' ? { ...reply, state: 'failed', problem: PAGE_LEFT } : reply,
      ),
    );
    this.subscribe(() => {
      const unsent = this.value.filter(({ state }) => state !== 'sent');
      if (!this.#isClosed) storeTabValue('outgoing', conversationId, unsent.length > 0 ? unsent : null);
    });
  }

  /** Adds a reply, which is sent after all earlier replies. */
  add({ text, resolves }: Pick<OutgoingReply, 'text' | 'resolves'>, send: SendReply): void {
    const reply = {
      idempotencyKey: generateBrowserId(),
      text,
      resolves,
      state: 'sending',
      problem: null,
      isRefused: false,
      messageId: null,
    } as const;
    this.set([...this.value, reply]);
    void this.#sendAll(send);
  }

  /** Sends all failed replies again, in their original order. */
  retryFailed(send: SendReply): void {
    this.#changeAll('failed', { state: 'sending', problem: null, isRefused: false });
    void this.#sendAll(send);
  }

  /** Discards a reply that was not sent. */
  drop({ idempotencyKey }: OutgoingReply): void {
    this.set(this.value.filter((each) => each.idempotencyKey !== idempotencyKey));
  }

  close(): void {
    this.#isClosed = true;
  }

  async #sendAll(send: SendReply): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (;;) {
      const next = this.value.find(({ state }) => state === 'sending');
      if (next === undefined || this.#isClosed) break;
      try {
        const { id } = await send(next);
        this.#updateReply(next, { state: 'sent', messageId: id });
      } catch (error) {
        const { message, status } = toApiError(error);
        const isRefused = status >= 400 && status < 500;
        this.#updateReply(next, { state: 'failed', problem: message, isRefused });
        this.#changeAll('sending', { state: 'failed', problem: EARLIER_FAILED });
      }
    }
    this.#isBusy = false;
  }

  #updateReply({ idempotencyKey }: OutgoingReply, changes: Partial<OutgoingReply>): void {
    this.set(
      this.value.map((each) => (each.idempotencyKey === idempotencyKey ? { ...each, ...changes } : each)),
    );
  }

  #changeAll(state: OutgoingReply['state'], changes: Partial<OutgoingReply>): void {
    this.set(this.value.map((each) => (each.state === state ? { ...each, ...changes } : each)));
  }
}
