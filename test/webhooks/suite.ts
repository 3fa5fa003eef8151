import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { OutboundClient, type OutboundClientOptions } from '../../adapters/http/outbound-client.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { startParley, type StartOptions, type TestOrg, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import {
  createEndpoint,
  emitLead,
  fanOut,
  startDispatcher,
  type DispatcherOverrides,
  type RunningDispatcher,
} from './support.ts';
import type { TestSettings } from '../support/test-settings.ts';
import { findOpened } from '../support/find-opened.ts';

/**
 * Starts a Parley for the tests of one `describe`, with a workspace per test. Everything that a
 * test starts through it ends with the test.
 */
export function useWebhooks(env: TestSettings = {}, options: StartOptions = {}): WebhookSuite {
  const suite = new WebhookSuite();
  before(async () => (suite.parley = await startParley(env, options)));
  after(() => suite.parley.stop());
  beforeEach(async () => (suite.org = await suite.parley.buildOrg()));
  afterEach(() => suite.endTest());
  return suite;
}

export class WebhookSuite {
  parley!: TestParley;
  org!: TestOrg;
  readonly servers = new LocalServers();
  readonly #receivers: Receiver[] = [];
  readonly #dispatchers: RunningDispatcher[] = [];
  readonly #clients: OutboundClient[] = [];

  async endTest(): Promise<void> {
    await Promise.all(this.#dispatchers.splice(0).map((dispatcher) => dispatcher.stop(100)));
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    await Promise.all(this.#receivers.splice(0).map((receiver) => receiver.close()));
    await this.servers.close();
    await this.parley.database.sql('DELETE FROM webhooks');
  }

  async receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
    const started = await startReceiver(...args);
    this.#receivers.push(started);
    return started;
  }

  dispatcher(overrides: DispatcherOverrides = {}): RunningDispatcher {
    const started = startDispatcher(this.parley, overrides);
    this.#dispatchers.push(started);
    return started;
  }

  /** Starts a dispatcher of webhooks and waits until it listens to changes. */
  async listeningDispatcher(): Promise<void> {
    this.dispatcher();
    const isListening = async () => {
      const listeners = await this.parley.database.sql(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'parley-listener' AND query LIKE 'LISTEN %'`,
      );
      return listeners.length === this.#dispatchers.length;
    };
    await waitUntil(isListening, 'the dispatcher to listen');
  }

  /**
   * Builds an HTTP client for webhook deliveries with `resolver` in place of DNS. The client treats only
   * 127.0.0.2 as public.
   */
  outbound(
    resolver: (name: string) => Promise<LookupAddress[]>,
    options: Partial<OutboundClientOptions> = {},
  ): OutboundClient {
    const client = new OutboundClient({
      allow: ['127.0.0.2/32'],
      requireHttpsUnlessAllowed: true,
      userAgent: 'Parley-Webhooks/1.0',
      resolver,
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  async emit(count = 1, org = this.org): Promise<void> {
    for (let index = 0; index < count; index += 1) await emitLead(this.parley, org);
    await fanOut(this.parley);
  }

  deliveries(org = this.org): Promise<Opened<WebhookDelivery>[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return findOpened(this.parley.database, WebhookDelivery, { where: { orgId: org.orgId }, order });
  }

  endpoint(id: string): Promise<Webhook> {
    return this.parley.database.repository(Webhook).findOneByOrFail({ id });
  }

  /** Waits until the worker has tried every webhook delivery at least once. */
  async waitUntilTried(): Promise<Opened<WebhookDelivery>[]> {
    await waitUntil(
      async () => (await this.deliveries()).every(({ status }) => status !== 'pending'),
      'attempts of all deliveries',
    );
    return this.deliveries();
  }

  /** Sends one webhook delivery to the URL, and waits for the attempt. */
  async attemptAt(url: string, overrides: DispatcherOverrides = {}): Promise<Opened<WebhookDelivery>> {
    const { id } = await createEndpoint(this.org, 'http://127.0.0.1:9/');
    await this.parley.database.repository(Webhook).update(id, { url });
    await this.emit();
    this.dispatcher(overrides);
    const [delivery] = await this.waitUntilTried();
    return delivery ?? assert.fail('There is no delivery.');
  }

  /** Sends one webhook delivery to a server that handles each connection with `onSocket`. */
  async attemptWith(
    onSocket: (socket: Socket) => void,
    overrides: DispatcherOverrides = {},
  ): Promise<Opened<WebhookDelivery>> {
    return this.attemptAt(`http://127.0.0.1:${await this.servers.tcp(onSocket)}/hook`, overrides);
  }

  /** Sends one webhook delivery to a server that sends these bytes after the request, then closes the connection. */
  attemptAnswered(
    bytes: string | Buffer,
    overrides: DispatcherOverrides = {},
  ): Promise<Opened<WebhookDelivery>> {
    return this.attemptWith((socket) => socket.once('data', () => socket.end(bytes)), overrides);
  }
}

/** Returns the code at the start of the reason for which a delivery failed. */
export function readReasonCode({ reason }: Pick<WebhookDelivery, 'reason'>): string | undefined {
  return reason?.split(':')[0];
}
