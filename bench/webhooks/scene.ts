import { isAuthentic } from '../../demo/verify-signature.ts';
import type { Database } from '../../database/database.ts';
import { roundTo, type Figure } from '../support/figure.ts';
import type { Installation } from '../support/installation.ts';
import { pollWithin } from '../support/poll-within.ts';
import type { Receiver } from './receiver.ts';
import type { Endpoint } from './endpoint.ts';

/** Resources that all benches of webhooks share. */
export interface Scene {
  installation: Installation;
  /** A database connection, for queries that no API operation offers. */
  db: Database;
  receiver: Receiver;
}

export interface DeliveryCounts {
  /** Number of distinct webhook deliveries that the endpoints accepted. */
  accepted: number;
  /** Number of webhook requests beyond one for each delivery. */
  repeated: number;
  lastAtMs: number;
}

const SAMPLES = 20;

/** Waits until each webhook endpoint has accepted `deliveriesEach` deliveries and PostgreSQL has stored the results. */
export async function waitUntilDelivered(
  { receiver, db }: Pick<Scene, 'receiver' | 'db'>,
  endpoints: Endpoint[],
  deliveriesEach: number,
  timeoutMs: number,
): Promise<DeliveryCounts> {
  const summaries = () => receiver.readSummaries(endpoints.map(({ hook }) => hook));
  const ids = endpoints.map(({ id }) => id);
  await pollWithin(timeoutMs, async () =>
    (await summaries()).every(({ accepted }) => accepted >= deliveriesEach),
  );
  await pollWithin(timeoutMs, async () => !(await hasPending(db, ids)));
  const all = await summaries();
  return {
    accepted: all.reduce((sum, { accepted }) => sum + accepted, 0),
    repeated: all.reduce((sum, { requests, deliveries }) => sum + requests - deliveries, 0),
    lastAtMs: Math.max(...all.map(({ lastAcceptedAtMs }) => lastAcceptedAtMs)),
  };
}

export async function hasPending(db: Database, ids: string[]): Promise<boolean> {
  const rows = await db.sql(
    // Follow the order of the partial index of pending deliveries, so that the length of the delivery log
    // does not affect the query's time.
    `SELECT FROM (SELECT webhook_id FROM webhook_deliveries WHERE status = 'pending'
                  ORDER BY org_id, is_on_demand, webhook_id, due_at) AS waiting
     WHERE webhook_id = ANY($1) LIMIT 1`,
    [ids],
  );
  return rows.length > 0;
}

/**
 * Checks what must hold in every run of the webhook benches: no delivery is lost or repeated, and a receiver
 * can verify the signatures.
 */
export async function checkDeliveries(
  { receiver }: Scene,
  run: string,
  endpoints: Endpoint[],
  expected: number,
  { accepted, repeated }: DeliveryCounts,
): Promise<Figure[]> {
  let forged = 0;
  for (const { hook, secret } of endpoints) {
    const { samples } = await receiver.readHook(hook);
    forged += samples.slice(-SAMPLES).filter(({ headers, body }) => {
      const signature = String(headers['x-webhook-signature']);
      return !isAuthentic(Buffer.from(body), signature, secret);
    }).length;
  }
  const none = (figure: string, value: number) =>
    buildMaxWebhookFigure(`${run}: ${figure}`, value, 0, 'deliveries');
  return [
    none('lost', expected - accepted),
    none('repeated', repeated),
    none('wrong signatures in a sample', forged),
  ];
}

export function buildWebhookFigure(figure: string, value: number, unit: string, digits = 2): Figure {
  return { bench: 'webhooks', figure, value: roundTo(value, digits), unit };
}

export function buildMinWebhookFigure(figure: string, value: number, limit: number, unit: string): Figure {
  const ok = value >= limit;
  return { ...buildWebhookFigure(figure, value, unit, 0), target: `≥ ${limit}`, ok };
}

export function buildMaxWebhookFigure(figure: string, value: number, limit: number, unit: string): Figure {
  const ok = value <= limit;
  return { ...buildWebhookFigure(figure, value, unit), target: `≤ ${limit}`, ok };
}
