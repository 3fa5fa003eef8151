import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StripeAccount } from './account.ts';
import { Faults } from './faults.ts';
import { renderHostedPage } from './hosted-pages.ts';
import { Idempotency } from './idempotency.ts';
import { checkKey } from './keys.ts';
import { productRoutes } from './resources/products-and-prices.ts';
import { checkoutRoutes, expireDue } from './resources/checkout-sessions.ts';
import { customerRoutes } from './resources/customers.ts';
import { eventRoutes } from './resources/events.ts';
import { invoiceRoutes } from './resources/invoices.ts';
import { paymentRoutes } from './resources/payments.ts';
import { portalRoutes } from './resources/portal.ts';
import { subscriptionRoutes } from './resources/subscriptions.ts';
import { taxIdRoutes } from './resources/tax-ids.ts';
import { NOT_KNOWN, performRequest } from './route.ts';
import {
  checkWithStripeMock,
  getStripeMockOrigin,
  type ApiRequest,
  type ApiResponse,
} from './stripe-mock.ts';

const ROUTES = [
  ...productRoutes,
  ...checkoutRoutes,
  ...customerRoutes,
  ...eventRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...portalRoutes,
  ...subscriptionRoutes,
  ...taxIdRoutes,
];

/** Headers of the connection, which the fake does not forward to stripe-mock. */
const CONNECTION_HEADERS = ['connection', 'content-length', 'host', 'transfer-encoding'];

/** HTTP server of the fake's API and hosted pages. */
export class StripeServer {
  readonly account: StripeAccount;
  readonly faults = new Faults();
  readonly requests: ApiRequest[] = [];
  /** Requests that are unknown to Stripe's API or to the fake. */
  readonly refusedByApi: { request: ApiRequest; response: ApiResponse }[] = [];
  readonly #idempotency = new Idempotency();
  readonly #server: Server;
  #requestCount = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.account = new StripeAccount(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  static async start(): Promise<StripeServer> {
    // Start stripe-mock first, since its start takes a while and requests would wait for it.
    await getStripeMockOrigin();
    const listener = createServer();
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const server = new StripeServer(listener);
    listener.on('request', (request, response) => void server.#serve(request, response));
    return server;
  }

  async stop(): Promise<void> {
    this.faults.clear();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const request = await readApiRequest(incoming);
      expireDue(this.account);
      if (request.path.startsWith('/v1/')) await this.#serveApi(request, response);
      else if (!this.faults.holdIfMatching('request', request, response)) this.#servePage(request, response);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  #servePage({ method, path }: ApiRequest, response: ServerResponse): void {
    if (this.faults.failsPdfDownloads && path.endsWith('/pdf')) {
      response.writeHead(503).end();
      return;
    }
    const page = renderHostedPage(this.account, method, path);
    response.writeHead(page.status, page.headers).end(page.body);
  }

  async #serveApi(request: ApiRequest, response: ServerResponse): Promise<void> {
    this.requests.push(request);
    if (this.faults.applyToRequest(request, response)) return;
    const requestId = `req_${(this.#requestCount += 1)}`;
    const { response: result, isReplayed } = await this.#idempotency.runOnce(request, () =>
      this.#perform(request, requestId),
    );
    if (this.faults.cutIfUnavailable(response) || this.faults.holdIfMatching('response', request, response))
      return;
    if (this.faults.consumesLoss(request.path)) {
      response.destroy();
      return;
    }
    const headers = {
      'content-type': 'application/json',
      'request-id': requestId,
      ...(isReplayed && { 'idempotent-replayed': 'true' }),
    };
    response.writeHead(result.status, headers).end(JSON.stringify(result.body));
  }

  async #perform(request: ApiRequest, requestId: string): Promise<ApiResponse> {
    const refusal =
      checkKey(request.headers['authorization'], request.method, request.path) ??
      (await this.#checkRequest(request));
    if (refusal) return refusal;
    this.account.request = { id: requestId, idempotency_key: request.headers['idempotency-key'] ?? null };
    const response = performRequest(this.account, ROUTES, request);
    this.account.request = { id: null, idempotency_key: null };
    if (response.status === NOT_KNOWN) this.refusedByApi.push({ request, response });
    return response;
  }

  async #checkRequest(request: ApiRequest): Promise<ApiResponse | null> {
    const response = await checkWithStripeMock(request);
    if (response) this.refusedByApi.push({ request, response });
    return response;
  }
}

async function readApiRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.entries(incoming.headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && !CONNECTION_HEADERS.includes(entry[0]),
  );
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
