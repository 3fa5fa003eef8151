import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { LocalServer } from './local-server.ts';
import { isAuthentic } from './verify-signature.ts';

export interface ReceivedWebhook {
  event: string;
  /** Fields of the webhook events that the demo shows. */
  data: {
    title?: string;
    chunk_count?: number;
    visitor_id?: string;
    message_count?: number;
    role?: string;
    content?: string;
  };
  rawBody: Buffer;
  signature: string;
}

/** The customer's server for webhooks in the demo. It accepts only signed requests, and counts each delivery once. */
export class WebhookReceiver {
  /** Secret for signatures, which Parley shows once, when the webhook endpoint is registered. */
  secret = '';
  rejected = 0;
  readonly #deliveries = new Map<string, ReceivedWebhook>();
  readonly #arrivals = new EventEmitter();
  #server: LocalServer | undefined;

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.#server = await LocalServer.start(
      (request, response) => void receiver.#receive(request, response),
    );
    return receiver;
  }

  get url(): string {
    return `${this.#server?.url}/parley-events`;
  }

  get received(): ReceivedWebhook[] {
    return [...this.#deliveries.values()];
  }

  /** Waits until `count` webhook deliveries have arrived, or no delivery has arrived for `patienceMs`. */
  async waitFor(count: number, patienceMs: number): Promise<void> {
    while (this.#deliveries.size < count) {
      const signal = AbortSignal.timeout(patienceMs);
      const hasArrived = await once(this.#arrivals, 'delivery', { signal }).catch(() => false);
      if (!hasArrived) return;
    }
  }

  close(): void {
    this.#server?.close();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rawBody = await buffer(request);
    const signature = String(request.headers['x-webhook-signature']);
    if (!isAuthentic(rawBody, signature, this.secret)) {
      this.rejected += 1;
      response.writeHead(401).end();
      return;
    }
    response.writeHead(204).end();
    const { event, data } = JSON.parse(rawBody.toString('utf8')) as Pick<ReceivedWebhook, 'event' | 'data'>;
    const deliveryId = String(request.headers['x-webhook-delivery']);
    this.#deliveries.set(deliveryId, { event, data, rawBody, signature });
    this.#arrivals.emit('delivery');
  }
}
