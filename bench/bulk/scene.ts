import { Connection, WorkflowClient } from '@temporalio/client';
import type { Database } from '../../database/database.ts';
import { roundTo, type Figure } from '../support/figure.ts';
import { call, type Installation } from '../support/installation.ts';

/** Resources that all benches of bulk ingestion share. */
export interface Scene {
  installation: Installation;
  /** A database connection, for queries that no API operation offers. */
  db: Database;
  /** URL of the web site. */
  site: string;
}

/** A bot with its documents. The documents' pages are as large as the pages of the website. */
export interface DocumentBot {
  botId: string;
  /** URL path of the API for the bot's documents. */
  knowledge: string;
  /** The installation with an API key that may write to the bot. */
  as: Installation;
}

export async function createDocumentBot(as: Installation): Promise<DocumentBot> {
  const { id: botId } = await call<{ id: string }>(as, 'POST', '/api/bots', { name: 'Bench' });
  return { botId, knowledge: `/api/bots/${botId}/knowledge`, as };
}

/** Counts a bot's documents by ingestion state. */
export async function countDocumentStates(
  { db }: Scene,
  { botId }: DocumentBot,
): Promise<Record<string, number>> {
  const rows = await db.sql<{ status: string; count: number }>(
    'SELECT status, count(*)::int AS count FROM documents WHERE bot_id = $1 GROUP BY status',
    [botId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Creates documents through the API, `atOnce` at a time. */
export async function createAll(
  { as, knowledge }: DocumentBot,
  bodies: object[],
  atOnce = 16,
): Promise<void> {
  const remaining = bodies.values();
  await runAtOnce(atOnce, async () => {
    for (const body of remaining) await call(as, 'POST', knowledge, body);
  });
}

export async function runAtOnce(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}

/** Sums the numbers of events in Temporal's workflow histories of the bot's documents. */
export async function countHistoryEvents({ installation }: Scene, { botId }: DocumentBot): Promise<number> {
  const connection = await Connection.connect({
    address: installation.environment['TEMPORAL_ADDRESS'] ?? '',
  });
  try {
    let events = 0;
    const client = new WorkflowClient({ connection });
    for await (const { historyLength } of client.list({ query: `BotId = '${botId}'` }))
      events += historyLength ?? 0;
    return events;
  } finally {
    await connection.close();
  }
}

export function buildBulkFigure(figure: string, value: number, unit: string, digits = 1): Figure {
  return { bench: 'bulk', figure, value: roundTo(value, digits), unit };
}

export function buildMinBulkFigure(figure: string, value: number, limit: number, unit: string): Figure {
  return { ...buildBulkFigure(figure, value, unit), target: `≥ ${limit}`, ok: value >= limit };
}

export function buildMaxBulkFigure(figure: string, value: number, limit: number, unit: string): Figure {
  return { ...buildBulkFigure(figure, value, unit), target: `≤ ${limit}`, ok: value <= limit };
}
