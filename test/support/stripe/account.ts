import { randomBytes } from 'node:crypto';
import type { Customer, Kind, LineItem, ObjectOf, StripeEvent, StripeObject } from './objects.ts';
import { resourceMissing } from './refusal.ts';

/** Of the SDK, which pins it. */
const API_VERSION = '2026-10-28.endive';

/** What a Checkout session is for, as far as the session itself does not show it. */
export interface Order {
  lines: LineItem[];
  /** Of the subscription or the payment that it leads to. */
  metadata: Record<string, string>;
  invoiceMetadata: Record<string, string>;
  description: string | null;
  trialDays: number;
}

/** All that an account at Stripe has, and the time in which it lives. */
export class StripeAccount {
  /** Charged on top where `automatic_tax` is on. */
  taxPercent = 0;
  /** What is going on while events are recorded. */
  request: StripeEvent['request'] = { id: null, idempotency_key: null };
  /** By Checkout session. */
  readonly orders = new Map<string, Order>();
  onEvent: (event: StripeEvent) => void = () => {};
  readonly #objects = new Map<string, StripeObject>();
  #stoppedAt: number | null = null;

  /** @param url where its API and pages are */
  constructor(readonly url: string) {}

  /** In seconds, as all of Stripe's times. */
  get now(): number {
    return Math.floor((this.#stoppedAt ?? Date.now()) / 1000);
  }

  setTime(time: Date): void {
    this.#stoppedAt = time.getTime();
  }

  newId(prefix: string): string {
    return `${prefix}_${randomBytes(12).toString('hex')}`;
  }

  find(id: string): StripeObject | undefined {
    return this.#objects.get(id);
  }

  get<Name extends Kind>(kind: Name, id: string, param = 'id'): ObjectOf<Name> {
    const found = this.all(kind).find((object) => object.id === id);
    if (!found) throw resourceMissing(kind.replace('billing_portal.', '').replace('_', ' '), id, param);
    return found;
  }

  /** @throws StripeRefusal where it is not there, or deleted */
  liveCustomer(id: string, param = 'customer'): Customer {
    const customer = this.get('customer', id, param);
    if (customer.deleted) throw resourceMissing('customer', id, param);
    return customer;
  }

  /** The oldest first. */
  all<Name extends Kind>(kind: Name): ObjectOf<Name>[] {
    return [...this.#objects.values()].filter((object): object is ObjectOf<Name> => object.object === kind);
  }

  /** @param eventType what is told of it, if anything */
  add<Added extends StripeObject>(object: Added, eventType?: string): Added {
    this.#objects.set(object.id, object);
    if (eventType !== undefined) this.tell(eventType, object);
    return object;
  }

  change<Changed extends StripeObject>(
    object: Changed,
    changes: Partial<Changed>,
    eventType?: string,
  ): Changed {
    const names = Object.keys(changes) as (keyof Changed)[];
    const changed = names.filter((name) => JSON.stringify(object[name]) !== JSON.stringify(changes[name]));
    const previous = Object.fromEntries(changed.map((name) => [name, object[name] ?? null]));
    Object.assign(object, changes);
    if (eventType !== undefined) this.tell(eventType, object, previous);
    return object;
  }

  remove(id: string): void {
    this.#objects.delete(id);
  }

  tell(type: string, object: object, previous?: object): StripeEvent {
    const event: StripeEvent = structuredClone({
      id: this.newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.now,
      data: { object, ...(previous && { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: 1,
      request: this.request,
      type,
    });
    this.#objects.set(event.id, event);
    this.onEvent(event);
    return event;
  }
}
