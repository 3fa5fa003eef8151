import assert from 'node:assert/strict';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { newId } from '../../core/ids.ts';
import { toMessageText } from '../../adapters/messaging/message-content.ts';
import type { AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';
import type { TestOrg, SharedParley } from '../support/parley.ts';
import { findOpened } from '../support/find-opened.ts';

/** Settings without pauses between alert messages. */
export const IMPATIENT = { alertPauses: '0,0,0', alertSettleMs: 16000 };
/** Settings for a Parley without a worker, in which alert messages wait until a test calls `takeTurn`. */
export const WITHOUT_WORKER = { ...IMPATIENT, alertSettleMs: 100 };

let chats = 0;

/**
 * Creates a link that connects a chat with a workspace, and opens it, as a person in the chat does; returns
 * the chat.
 */
export async function connectChat(
  { runtime, database }: Pick<SharedParley, 'runtime' | 'database'>,
  { client }: TestOrg,
  channel: AlertChannel = 'telegram',
): Promise<string> {
  chats += 1;
  const destination = channel === 'telegram' ? String(100_000 + chats) : `+35191000${String(1000 + chats)}`;
  const { status, body } = await client.post(`/api/alerts/${channel}/connect`, {});
  assert.equal(status, 200, JSON.stringify(body));
  const opened = { code: parseLinkCode(body.link), destination, name: 'Ada Lovelace', consent: '1' };
  assert.notEqual(await runtime.services.alerts.alertConnections.connect(database, channel, opened), null);
  return destination;
}

/** Returns the code in a link that connects a chat. */
export function parseLinkCode(link: string): string {
  const [code] = /[A-Za-z0-9_-]{43}$/.exec(link) ?? [];
  assert.ok(code, link);
  return code;
}

export async function savePolicy(
  { client }: TestOrg,
  policy: { channel: AlertChannel; destination: string; [field: string]: unknown },
) {
  const { status, body } = await client.put('/api/alerts', policy);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Returns the alert messages that Parley has captured locally for a destination, oldest first. */
export async function readCapturedTexts(
  { runtime, database }: Pick<SharedParley, 'runtime' | 'database'>,
  destination: string,
): Promise<string[]> {
  const rows = await findOpened(database, AlertMessage, {
    where: { destination, state: 'kept' },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  return rows.map((row) => toMessageText(runtime.services.alerts.alertQueue.open(row)!));
}

/** Inserts alerts of a policy, as a relay does. */
export async function addAlerts(
  { database }: Pick<SharedParley, 'database'>,
  { orgId }: TestOrg,
  policyId: string,
  alerts: readonly Partial<Alert>[],
): Promise<void> {
  const rows = alerts.map((alert) => {
    const id = newId();
    const eventFields = {
      name: 'usage.limit_reached',
      ids: {},
      severity: 'critical',
      subject: `bot/${id}`,
    } as const;
    return { id, eventId: newId(), orgId, policyId, occurredAt: new Date(), ...eventFields, ...alert };
  });
  await database.repository(Alert).insert(rows);
}

/** Sends an alert message of the policy if one is due, as its workflow does; returns the result. */
export async function takeTurn(
  { runtime, database }: Pick<SharedParley, 'runtime' | 'database'>,
  { orgId }: TestOrg,
  policyId: string,
): Promise<string> {
  const scope = { orgId, db: database };
  const { alertScheduler, messageSender } = runtime.services.alerts;
  const next = await alertScheduler.next(scope, policyId, null);
  if (next.step !== 'send') return next.step;
  const attempted = await messageSender.attempt(scope, next.messageId, new AbortController().signal);
  return 'end' in attempted ? attempted.end : attempted.state;
}

/** Returns the current time of the database's clock. */
export async function readDatabaseTime({ database }: Pick<SharedParley, 'database'>): Promise<Date> {
  const [row] = await database.sql<{ at: Date }>('SELECT now() AS at');
  return row!.at;
}
