import { setTimeout as sleep } from 'node:timers/promises';
import { Keyring } from '../adapters/keys/keyring.ts';
import { generateKey } from '../adapters/keys/data-key.ts';
import { newId } from '../core/ids.ts';
import { createLogger } from '../core/logger.ts';
import { loadSettings } from '../core/settings/settings.ts';
import type { Database } from '../database/database.ts';
import type { EncryptionMode } from '../entities/encryption/org-encryption.entity.ts';
import { requireContent, sealRowWith } from '../database/content.ts';
import type { ContentKey } from '../database/content-keys.ts';
import { Message } from '../entities/conversations/message.entity.ts';
import { openRuntime, type Runtime } from '../services/runtime.ts';
import { compareTurns } from './support/turn-comparison.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { startPeer } from './support/peer.ts';

const ROUNDS = 12;
const MIN_SHARE = 0.93;
/** Time in milliseconds after which every process has noticed a change of the encryption mode. */
const MODE_NOTICED_MS = 5500;
const MESSAGES = 20_000;
const MIN_RESEALED_PER_SECOND = 5000;
const MESSAGES_PER_PAGE = 100;
const PAGE_ROUNDS = 11;
/** Number of result pages of each conversation that the bench reads in a round. */
const PAGES_READ = 200;
const MAX_EXTRA_MS = 2;

/**
 * Compares conversation turns of 32 concurrent visitors with and without encryption, and pages of encrypted and
 * of readable messages. Measures also how fast Parley encrypts existing content.
 */
export async function benchSealing(): Promise<Figure[]> {
  const model = await startPeer('model-process.ts');
  const installation = await startInstallation({ PARLEY_MODEL_BASE_URL: model.line });
  const runtime = await openRuntime({
    settings: loadSettings(installation.environment),
    log: createLogger('bench', 'fatal'),
  });
  try {
    await addKey(runtime);
    return [
      ...(await measureTurns(installation, runtime.database)),
      await measurePages(installation, runtime),
      await measureReseal(runtime),
    ];
  } finally {
    await runtime.close();
    await installation.stop();
    model.stop();
  }
}

async function addKey({ database, settings }: Runtime): Promise<void> {
  const id = newId();
  const keyring = new Keyring(settings.masterKey!);
  const wrapped = keyring.seal(generateKey().toString('base64'), `workspace_keys.wrapped_key:${id}`);
  await database.sql(
    `INSERT INTO workspace_keys (id, org_id, version, root, wrapped_key) SELECT $1, id, 1, 'master', $2 FROM orgs`,
    [id, wrapped],
  );
  await database.sql(
    'INSERT INTO org_encryption (org_id, key_version, sealed_since_version) SELECT id, 1, 1 FROM orgs',
  );
}

function measureTurns(installation: Installation, db: Database): Promise<Figure[]> {
  let present: EncryptionMode | null = null;
  return compareTurns(installation, db, {
    bench: 'sealing',
    kinds: ['tenant', 'platform'],
    rounds: ROUNDS,
    switchTo: async (mode) => {
      if (mode === present) return;
      await db.sql('UPDATE org_encryption SET mode = $1', [mode]);
      await sleep(MODE_NOTICED_MS);
      present = mode;
    },
    rateName: 'turns a second, sealed',
    shareName: 'share of those that are readable, median of rounds',
    minShare: MIN_SHARE,
  });
}

/** Compares the times of pages of messages of an encrypted conversation with those of a readable one, in turn. */
async function measurePages(installation: Installation, { database, services }: Runtime): Promise<Figure> {
  const [bot] = await database.sql<{ id: string; org_id: string }>('SELECT id, org_id FROM bots LIMIT 1');
  const place = { botId: bot!.id, orgId: bot!.org_id };
  await database.sql("UPDATE org_encryption SET mode = 'tenant'");
  services.encryption.contentKeys.forget(place.orgId);
  const sealed = await createConversation(
    database,
    place,
    await services.encryption.contentKeys.getCurrentKey(place.orgId),
  );
  const readable = await createConversation(database, place, null);
  const rounds: [number, number][] = [];
  for (let round = 0; round < PAGE_ROUNDS; round += 1) {
    const [sealedTimes, readableTimes]: [number[], number[]] = [[], []];
    for (let page = 0; page < PAGES_READ; page += 1) {
      sealedTimes.push(await measurePageRead(installation, sealed));
      readableTimes.push(await measurePageRead(installation, readable));
    }
    rounds.push([percentile(sealedTimes, 0.95), percentile(readableTimes, 0.95)]);
  }
  const [p95, baseline] = [median(rounds.map(([of]) => of)), median(rounds.map(([, of]) => of))];
  return {
    bench: 'sealing',
    figure: `page of ${MESSAGES_PER_PAGE} sealed messages, p95, median of rounds`,
    value: roundTo(p95),
    unit: 'ms',
    baseline: roundTo(baseline),
    target: `at most ${MAX_EXTRA_MS} ms more`,
    ok: p95 - baseline <= MAX_EXTRA_MS,
  };
}

async function createConversation(
  db: Database,
  { orgId, botId }: { orgId: string; botId: string },
  key: ContentKey | null,
): Promise<string> {
  const id = newId();
  await db.sql(
    `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id) VALUES ($1, $2, $3, 'v', gen_random_uuid())`,
    [id, orgId, botId],
  );
  const content = 'Where is my cargo bike? '.repeat(12);
  const messages = Array.from({ length: MESSAGES_PER_PAGE }, () =>
    sealRowWith(requireContent(Message), key, {
      id: newId(),
      orgId,
      conversationId: id,
      role: 'user' as const,
      content,
    }),
  );
  await db.repository(Message).insert(messages);
  return id;
}

async function measurePageRead(installation: Installation, conversationId: string): Promise<number> {
  const startedAt = performance.now();
  const path = `/api/conversations/${conversationId}/messages?limit=${MESSAGES_PER_PAGE}`;
  const messages = await call<unknown[]>(installation, 'GET', path);
  if (messages.length !== MESSAGES_PER_PAGE) throw new Error(`A page has ${messages.length} messages.`);
  return performance.now() - startedAt;
}

/** Measures how fast Parley encrypts stored readable messages, in conversations of 20 messages. */
async function measureReseal({ database: db, services }: Runtime): Promise<Figure> {
  const [{ org_id: orgId } = { org_id: '' }] = await db.sql<{ org_id: string }>(
    'SELECT org_id FROM org_encryption',
  );
  await db.sql(
    `WITH made AS (
       INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id)
       SELECT gen_random_uuid(), b.org_id, b.id, 'v', gen_random_uuid()
       FROM (SELECT id, org_id FROM bots LIMIT 1) b, generate_series(1, $1) RETURNING id, org_id)
     INSERT INTO messages (id, org_id, conversation_id, role, content)
     SELECT gen_random_uuid(), org_id, id, 'user', repeat('Where is my cargo bike? ', 12) FROM made, generate_series(1, 20)`,
    [MESSAGES / 20],
  );
  await db.sql(
    "UPDATE org_encryption SET mode = 'tenant', is_sealing = true, cursor = NULL, resealed_rows = 0",
  );
  services.encryption.contentKeys.forget(orgId);
  const startedAt = performance.now();
  const progress = await services.encryption.resealing.runSteps({ orgId, db }, () => false);
  const seconds = (performance.now() - startedAt) / 1000;
  const rate = (progress?.converted ?? 0) / seconds;
  return {
    bench: 'sealing',
    figure: 'messages sealed a second by reseal',
    value: Math.round(rate),
    unit: '1/s',
    target: `≥ ${MIN_RESEALED_PER_SECOND}`,
    ok: rate >= MIN_RESEALED_PER_SECOND,
  };
}
