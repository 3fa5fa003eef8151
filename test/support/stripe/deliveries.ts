import Stripe from 'stripe';
import type { StripeEvent } from './objects.ts';

/** Deviations from the way in which Stripe sends an event. */
export interface DeliveryOptions {
  urls?: string[];
  /** Number of copies of the event for each address, all sent at once. */
  times?: number;
  livemode?: boolean;
  /** True to sign Stripe's formatting of the JSON, but send the JSON after parsing and serializing it again. */
  isReserialized?: boolean;
  /** Secrets, each of which adds a signature to the header. */
  secrets?: string[];
  ageSeconds?: number;
  /** Signature in place of the correct signature; null for none. */
  signature?: string | null;
}

export interface Delivery {
  event: StripeEvent;
  url: string;
  /** Status of the endpoint's response; 0 without a response. */
  status: number;
  body: string;
}

const TIMEOUT_MS = 20_000;

/** Sends events to the endpoints of an account, in any order, as Stripe does. */
export class Deliveries {
  /** URLs of the endpoints that receive events automatically. */
  urls: string[] = [];
  isHeld = false;
  /** Deliveries of events that did not get a 2xx status. */
  readonly failures: Delivery[] = [];
  readonly held: StripeEvent[] = [];
  readonly #running = new Set<Promise<unknown>>();

  constructor(private readonly secret: string) {}

  enqueue(event: StripeEvent): void {
    if (this.isHeld) this.held.push(event);
    else this.#run(this.send(event));
  }

  /** Sends the events that the fake has held back, in the given order. */
  async release(order: (events: StripeEvent[]) => StripeEvent[] = (events) => events): Promise<Delivery[]> {
    this.isHeld = false;
    const deliveries: Delivery[] = [];
    for (const event of order(this.held.splice(0))) deliveries.push(...(await this.send(event)));
    return deliveries;
  }

  async send(event: StripeEvent, options: DeliveryOptions = {}): Promise<Delivery[]> {
    const { urls = this.urls, times = 1 } = options;
    const addresses = urls.flatMap((url) => Array.from({ length: times }, () => url));
    const sent = await Promise.all(addresses.map((url) => this.#post(event, url, options)));
    this.failures.push(...sent.filter(({ status }) => status < 200 || status > 299));
    return sent;
  }

  /** Sends the events of failed deliveries again, as Stripe does for three days. */
  async resendFailures(): Promise<Delivery[]> {
    const again = this.failures.splice(0).map(({ event, url }) => this.send(event, { urls: [url] }));
    return (await Promise.all(again)).flat();
  }

  /** Resolves when all deliveries of events in progress have succeeded or failed. */
  async waitUntilSettled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #run(sending: Promise<unknown>): void {
    this.#running.add(sending);
    void sending.finally(() => this.#running.delete(sending));
  }

  async #post(event: StripeEvent, url: string, options: DeliveryOptions): Promise<Delivery> {
    const sentEvent = options.livemode === undefined ? event : { ...event, livemode: options.livemode };
    const payload = JSON.stringify(sentEvent, null, 2);
    const signature = options.signature === undefined ? this.#sign(payload, options) : options.signature;
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          ...(signature !== null && { 'stripe-signature': signature }),
        },
        body: options.isReserialized ? JSON.stringify(sentEvent) : payload,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { event, url, status: response.status, body: await response.text() };
    } catch (error) {
      return { event, url, status: 0, body: String(error) };
    }
  }

  #sign(payload: string, { secrets = [this.secret], ageSeconds = 0 }: DeliveryOptions): string {
    const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
    const signatures = secrets.map((secret) =>
      Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    );
    return [`t=${timestamp}`, ...signatures.map((each) => each.slice(each.indexOf('v1=')))].join(',');
  }
}
