import { randomBytes } from 'node:crypto';
import type { Customer, Kind, LineItem, ObjectOf, StripeEvent, StripeObject } from './objects.ts';
import { createResourceMissing } from './refusal.ts';

/** Version of Stripe's API that the SDK pins. */
const API_VERSION = '2026-10-28.endive';

/** Details of the order in a Checkout session, which the session itself does not contain. */
export interface Order {
  lines: LineItem[];
  /** Metadata of the subscription or payment that the session creates. */
  metadata: Record<string, string>;
  invoiceMetadata: Record<string, string>;
  description: string | null;
  trialDays: number;
}

/** All objects of the fake's Stripe account, and its clock. */
export class StripeAccount {
  /** Tax in percent that the fake adds to amounts if `automatic_tax` is on. */
  taxPercent = 0;
  /** Request to the fake that causes the recorded events. */
  request: StripeEvent['request'] = { id: null, idempotency_key: null };
  /** Orders in the fake's account by Checkout session id. */
  readonly orders = new Map<string, Order>();
  onEvent: (event: StripeEvent) => void = () => {};
  readonly #objects = new Map<string, StripeObject>();
  #stoppedAt: number | null = null;

  /** @param url base URL of the fake's API and hosted pages */
  constructor(readonly url: string) {}

  /** Current time of the account in seconds since 1970, like all times of Stripe. */
  get now(): number {
    return Math.floor((this.#stoppedAt ?? Date.now()) / 1000);
  }

  setTime(time: Date): void {
    this.#stoppedAt = time.getTime();
  }

  createId(prefix: string): string {
    return `${prefix}_${randomBytes(12).toString('hex')}`;
  }

  find(id: string): StripeObject | undefined {
    return this.#objects.get(id);
  }

  get<Name extends Kind>(kind: Name, id: string, param = 'id'): ObjectOf<Name> {
    const found = this.list(kind).find((object) => object.id === id);
    if (!found) throw createResourceMissing(kind.replace('billing_portal.', '').replace('_', ' '), id, param);
    return found;
  }

  /**
   * Returns a customer of the account that is not deleted.
   * @throws StripeRefusal if there is none
   */
  getLiveCustomer(id: string, param = 'customer'): Customer {
    const customer = this.get('customer', id, param);
    if (customer.deleted) throw createResourceMissing('customer', id, param);
    return customer;
  }

  /** Returns all objects of a kind in the account, oldest first. */
  list<Name extends Kind>(kind: Name): ObjectOf<Name>[] {
    return [...this.#objects.values()].filter((object): object is ObjectOf<Name> => object.object === kind);
  }

  /**
   * Stores an object.
   * @param eventType event to emit, if any
   */
  add<Added extends StripeObject>(object: Added, eventType?: string): Added {
    this.#objects.set(object.id, object);
    if (eventType !== undefined) this.emit(eventType, object);
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
    if (eventType !== undefined) this.emit(eventType, object, previous);
    return object;
  }

  remove(id: string): void {
    this.#objects.delete(id);
  }

  emit(type: string, object: object, previous?: object): StripeEvent {
    const event: StripeEvent = structuredClone({
      id: this.createId('evt'),
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
