import { existsSync } from 'node:fs';
import { createPaymentProvider } from '../../adapters/billing/create-payment-provider.ts';
import { createEmbedder } from '../../adapters/embedding/create-embedder.ts';
import { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { createMailTransport } from '../../adapters/mail/create-mail-transport.ts';
import { RecognitionFailure } from '../../adapters/recognition/text-recognizer.ts';
import { createTextRecognizer } from '../../adapters/recognition/create-text-recognizer.ts';
import { createStorage } from '../../adapters/storage/create-storage.ts';
import { canShowCaptured } from '../../services/alerts/channels/channels.ts';
import { Plans, products } from '../../core/billing/plans.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { suggestNames } from '../../core/text/nearest-names.ts';
import { oneLine } from '../../core/text/safe-text.ts';
import { Keyring } from '../../adapters/keys/keyring.ts';
import { createDataSource } from '../../entities/data-source.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { BacklogRepository } from '../../repositories/installation/backlog.repository.ts';
import { ServedRoleRepository } from '../../repositories/installation/served-role.repository.ts';
import { ServedRoles } from '../../services/installation/served-roles.ts';
import { EmbeddingQueueRepository } from '../../repositories/knowledge/embedding-queue.repository.ts';
import { VectorSearchRepository } from '../../repositories/knowledge/vector-search.repository.ts';
import { countTextTokens } from '../../services/knowledge/ingestion/token-count.ts';
import { VectorIndexes } from '../../services/knowledge/vectors/vector-indexes.ts';
import { endpointSecretContext } from '../../services/webhooks/endpoint-secret.ts';
import { describeDatabaseProblem, inspectDatabase } from '../launcher/database-check.ts';
import { ParleyHome } from '../launcher/parley-home.ts';
import { findReason, LaunchError } from '../launcher/launch-error.ts';
import { findMissingSearchAttributes } from '../launcher/search-attributes.ts';
import { findQueuesWithoutWorker } from '../launcher/task-queue-pollers.ts';
import { withAppDatabase } from '../launcher/workspace.ts';

/**
 * Checks one part of the installation. Returns a description of the part if it works.
 * @throws Error that says what is wrong and how to fix it
 */
type Check = (settings: Settings) => Promise<string>;

const TIMEOUT_MS = 10_000;
/** Age in seconds above which an unprocessed outbox row counts as late. Workers process rows within seconds. */
const OUTBOX_LATE_SECONDS = 60;
const START_FIRST = 'Start Parley with `npm start` first';

const CHECKS: Record<string, Check> = {
  Database: checkDatabase,
  Temporal: checkTemporal,
  Worker: checkWorker,
  Storage: checkStorage,
  Email: checkMail,
  Model: checkModel,
  'Master key': checkMasterKey,
  Embeddings: checkEmbeddings,
  'Text recognition': checkRecognition,
  Billing: checkBilling,
  Outbox: checkOutbox,
  'Time zones': async () => `tzdata ${process.versions.tz ?? 'unknown'}, from Node.js.`,
};

/**
 * Checks the named parts of the installation, and prints a line about each.
 * @param parts names in small letters with hyphens, such as `master-key`; every part if the list is empty
 * @returns true if all these parts work
 * @throws LaunchError if there is no such part
 */
export async function diagnose(
  settings: Settings,
  report: (line: string) => void,
  parts: readonly string[] = [],
): Promise<boolean> {
  const outcomes = await Promise.all(
    chooseChecks(parts).map(async ([name, check]) => {
      try {
        return { isOk: true, line: `✓ ${name}: ${await check(settings)}` };
      } catch (error) {
        return { isOk: false, line: `✗ ${name}: ${findReason(error)}` };
      }
    }),
  );
  for (const { line } of outcomes) report(oneLine(line));
  return outcomes.every(({ isOk }) => isOk);
}

/** @throws LaunchError if the installation has no part with one of the names */
function chooseChecks(parts: readonly string[]): [name: string, check: Check][] {
  const checks = Object.entries(CHECKS);
  const names = checks.map(([name]) => toPart(name));
  const unknown = parts.find((part) => !names.includes(part));
  if (unknown !== undefined)
    throw new LaunchError(
      `There is no check "${unknown}"${suggestNames(unknown, names)}. The checks are ${names.join(', ')}.`,
    );
  return parts.length === 0 ? checks : checks.filter(([name]) => parts.includes(toPart(name)));
}

function toPart(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

async function checkDatabase(settings: Settings): Promise<string> {
  const { databaseUrl } = settings;
  if (databaseUrl === undefined)
    throw new Error(
      `no PostgreSQL server is running for PARLEY_HOME ${settings.home}. ${START_FIRST}, or set DATABASE_URL.`,
    );
  const facts = await inspectDatabase(databaseUrl).catch((error: unknown) => {
    throw new Error(
      `the server cannot be reached (${findReason(error)}). Check DATABASE_URL, and check that the server is running.`,
    );
  });
  const problem = describeDatabaseProblem(facts);
  if (problem !== undefined) throw new Error(problem);
  const dataSource = await createDataSource(settings, 'parley-doctor').initialize();
  const isBehind = await dataSource.showMigrations();
  await dataSource.destroy();
  if (isBehind) throw new Error('the schema is outdated. Run `npm run parley -- migrate`.');
  return `PostgreSQL ${facts.version}, schema up to date`;
}

async function checkTemporal({ temporalAddress, temporalNamespace, home }: Settings): Promise<string> {
  if (temporalAddress === undefined)
    throw new Error(
      `no Temporal server is running for PARLEY_HOME ${home}. ${START_FIRST}, or set TEMPORAL_ADDRESS.`,
    );
  const missing = await findMissingSearchAttributes(temporalAddress, temporalNamespace).catch(
    (error: unknown) => {
      throw new Error(
        `${temporalAddress}, namespace "${temporalNamespace}", does not respond (${findReason(error)}). Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.`,
      );
    },
  );
  if (missing.length > 0) {
    throw new Error(
      `the search attributes ${missing.join(', ')} are missing. Run \`npm run parley -- migrate\`.`,
    );
  }
  return `${temporalAddress}, namespace "${temporalNamespace}"`;
}

async function checkWorker(settings: Settings): Promise<string> {
  const { temporalAddress, temporalNamespace, temporalTaskQueue } = settings;
  if (temporalAddress === undefined)
    throw new Error(`no Temporal server is running, so workers cannot be listed. ${START_FIRST}.`);
  const idle = await findQueuesWithoutWorker(temporalAddress, temporalNamespace, temporalTaskQueue);
  if (idle.length > 0) {
    throw new Error(
      `no worker polls ${idle.join(', ')}, so documents stay pending and failed webhooks are not retried. Start a worker, or check the log of a running worker.`,
    );
  }
  const unserved = await withAppDatabase(settings, (db) =>
    new ServedRoles(new ServedRoleRepository(db)).listUnserved(),
  ).catch(() => {
    throw new Error('it cannot be checked without the database.');
  });
  if (unserved.length > 0) {
    throw new Error(
      `no worker serves ${unserved.join(', ')}, so this work waits. Start a worker without PARLEY_WORKER_QUEUES, or add these names to the PARLEY_WORKER_QUEUES of a worker.`,
    );
  }
  return 'every queue has a worker';
}

/**
 * Checks that workers process the outbox. If a worker hangs, Temporal still lists the worker for minutes, but
 * outbox rows become late within a minute.
 */
async function checkOutbox(settings: Settings): Promise<string> {
  const backlog = await withAppDatabase(settings, (db) => new BacklogRepository(db).listOutbox()).catch(
    () => {
      throw new Error('it cannot be checked without the database.');
    },
  );
  const oldestSeconds = Math.max(...backlog.map((each) => each.oldestSeconds));
  if (oldestSeconds > OUTBOX_LATE_SECONDS)
    throw new Error(
      `an entry has waited for ${Math.round(oldestSeconds)} s, so documents stay pending and no emails are sent. Restart the worker; the worker’s log says why.`,
    );
  const parked = backlog.reduce((sum, each) => sum + each.parked, 0);
  return parked === 0
    ? 'no entry is late'
    : `no entry is late; ${parked} entries are parked because they can never succeed`;
}

async function checkStorage(settings: Settings): Promise<string> {
  const isLocal = settings.storage === 'local';
  const location = isLocal ? `files in ${settings.home}` : `bucket ${settings.s3Bucket}`;
  const advice = isLocal ? 'Check PARLEY_HOME and its owner.' : 'Check the PARLEY_S3_ settings.';
  try {
    const storage = await createStorage(settings);
    await storage.check();
  } catch (error) {
    throw new Error(`${location} cannot be written or read (${findReason(error)}). ${advice}`);
  }
  return location;
}

async function checkMail(settings: Settings): Promise<string> {
  const { smtpUrl } = settings;
  const transport = createMailTransport({ ...settings, smtpTimeoutMs: TIMEOUT_MS });
  if (smtpUrl === undefined || !transport)
    return canShowCaptured(settings)
      ? 'no PARLEY_SMTP_URL, so emails are captured and shown at /dev/mail'
      : 'no PARLEY_SMTP_URL, so emails are captured, and no page shows them behind a proxy; set PARLEY_SMTP_URL to send emails';
  try {
    await transport.verify();
  } catch (error) {
    throw new Error(
      `the server of PARLEY_SMTP_URL does not accept email (${findReason(error)}). Check host, port and credentials.`,
    );
  }
  return `${new URL(smtpUrl).host} accepts email`;
}

async function checkModel({ modelBaseUrl, modelApiKey, modelName }: Settings): Promise<string> {
  if (modelBaseUrl === undefined) return 'no PARLEY_MODEL_BASE_URL, so answers are quotes from the documents';
  const headers = { ...(modelApiKey !== undefined && { authorization: `Bearer ${modelApiKey}` }) };
  const response = await fetchWithAdvice(
    `${modelBaseUrl.replace(/\/$/, '')}/models`,
    headers,
    'Check PARLEY_MODEL_BASE_URL.',
  );
  if (response.status === 401 || response.status === 403) {
    throw new Error(
      `${modelBaseUrl} rejects the key (status ${response.status}). Check PARLEY_MODEL_API_KEY.`,
    );
  }
  if (!response.ok)
    throw new Error(
      `${modelBaseUrl}/models responds with status ${response.status}. Check PARLEY_MODEL_BASE_URL.`,
    );
  const names = readModelNames(await response.json().catch(() => undefined));
  if (names.length > 0 && !names.includes(modelName)) {
    throw new Error(
      `${modelBaseUrl} does not offer ${modelName}. It offers ${names.slice(0, 5).join(', ')}. Check PARLEY_MODEL.`,
    );
  }
  return `${modelName} at ${modelBaseUrl}`;
}

/** Checks the embedding model by embedding a test sentence. */
async function checkEmbeddings(settings: Settings): Promise<string> {
  const client = OutboundClient.createTrusted({ userAgent: 'Parley/1.0' });
  const embedder = await createEmbedder({ settings, client, count: countTextTokens });
  if (!embedder) return 'no model, so search uses words only';
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const startedAt = performance.now();
    const { length } = await embedder.embedQuestion('Does it work?', signal);
    const tookMs = Math.round(performance.now() - startedAt);
    const location =
      settings.embeddingBaseUrl === undefined ? 'on this machine' : `at ${settings.embeddingBaseUrl}`;
    return `${embedder.model} ${location}, vectors of ${length} numbers, the first in ${tookMs} ms; ${await describeVectorStorage(settings)}`;
  } catch (error) {
    const failure = signal.aborted ? 'late' : findReason(error);
    throw new Error(describeEmbeddingFailure(settings, embedder.model, failure));
  } finally {
    await Promise.all([embedder.close(), client.close()]);
  }
}

/**
 * Describes why the embedding model returned no vectors, and what to do.
 * @param failure reason, or `late` if the model did not respond in time
 */
export function describeEmbeddingFailure(
  { embeddingBaseUrl }: Pick<Settings, 'embeddingBaseUrl'>,
  model: string,
  failure: string,
): string {
  if (failure === 'late') {
    const advice =
      embeddingBaseUrl === undefined
        ? 'The machine may be busy: run the check again.'
        : 'Check PARLEY_EMBEDDING_BASE_URL, or run the check again.';
    return `${model} did not respond within ${TIMEOUT_MS / 1000} s. ${advice}`;
  }
  const advice =
    embeddingBaseUrl === undefined
      ? 'Check PARLEY_EMBEDDING_MODEL_PATH, or download a model with `npm run parley -- embeddings fetch`.'
      : 'Check PARLEY_EMBEDDING_BASE_URL, PARLEY_EMBEDDING_API_KEY and PARLEY_EMBEDDING_MODEL.';
  return `${model} returns no vectors (${failure}). ${advice}`;
}

async function checkRecognition(settings: Settings): Promise<string> {
  const recognizer = createTextRecognizer(settings);
  if (!recognizer) return 'PARLEY_OCR is off, so the text of scans is not read';
  const languages = await recognizer.listLanguages().catch((error: unknown) => {
    const isMissing = error instanceof RecognitionFailure && error.isFinal;
    throw new Error(
      isMissing
        ? `${error.message}. Install it, for example by \`apt-get install tesseract-ocr tesseract-ocr-deu\` for English and German, or set PARLEY_OCR to off.`
        : `${findReason(error)}. Check tesseract, or set PARLEY_OCR to off.`,
    );
  });
  return `tesseract reads ${languages.join(', ')}`;
}

async function describeVectorStorage(settings: Settings): Promise<string> {
  const indexes = new VectorIndexes({
    queue: new EmbeddingQueueRepository(),
    vectors: new VectorSearchRepository(),
  });
  try {
    const storage = await withAppDatabase(settings, (db) => indexes.detectStorage(db));
    return storage === 'index'
      ? 'searched by an index of the extension pgvector'
      : 'searched by the sign bits of vectors, without an index; install pgvector to get an index';
  } catch {
    return 'the index of vectors cannot be checked without the database';
  }
}

/** Checks the connection to Stripe by reading the prices of all products on sale. */
async function checkBilling(settings: Settings): Promise<string> {
  if (settings.stripeSecretKey === undefined)
    return 'no PARLEY_STRIPE_SECRET_KEY, so nothing is for sale, and plans have no limits';
  const clients = OutboundClient.createTrusted({ userAgent: 'Parley/1.0' });
  const provider = await createPaymentProvider(settings, { trusted: clients, guarded: clients });
  const plans = new Plans(settings);
  const soldProducts = products.filter((product) => plans.getPrice(product).priceId !== undefined);
  try {
    if (soldProducts.length === 0)
      throw new Error('no plan has a price_id in PARLEY_PLANS, so nothing can be bought');
    for (const product of soldProducts) {
      const { priceId = '', amountCents, currency } = plans.getPrice(product);
      const price = await provider?.getPrice(priceId);
      if (price && (price.amountCents !== amountCents || price.currency !== currency))
        throw new Error(
          `${product} has the price ${amountCents} cents (${currency}) in Parley, but ${price.amountCents} cents (${price.currency}) at Stripe`,
        );
    }
  } catch (error) {
    throw new Error(
      `${findReason(error)}. Check PARLEY_STRIPE_SECRET_KEY and PARLEY_PLANS; docs/billing.md shows how.`,
    );
  } finally {
    await clients.close();
  }
  return `Stripe, ${provider?.isLive ? 'live' : 'test'} mode, sells ${soldProducts.join(', ')}`;
}

async function fetchWithAdvice(
  url: string,
  headers: Record<string, string>,
  advice: string,
): Promise<Response> {
  try {
    return await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Error(`${url} cannot be reached (${findReason(error)}). ${advice}`);
  }
}

/**
 * Returns the ids in a response with a list of models, `{ data: [{ id }] }`. Returns an empty list for any
 * other JSON.
 */
function readModelNames(body: unknown): string[] {
  const { data } = (body ?? {}) as { data?: unknown };
  return Array.isArray(data)
    ? data.flatMap((model: { id?: unknown }) => (typeof model.id === 'string' ? [model.id] : []))
    : [];
}

/** Checks the master key by decrypting the webhook signing secret that was encrypted last. */
async function checkMasterKey(settings: Settings): Promise<string> {
  const { masterKey } = settings;
  if (masterKey === undefined) {
    const secretsFile = new ParleyHome(settings.home).path('secrets.json');
    throw new Error(
      existsSync(secretsFile)
        ? `the key is stored in ${secretsFile}, but cannot be tested without the database.`
        : `none exists. ${START_FIRST}, or set PARLEY_MASTER_KEY.`,
    );
  }
  const webhook = await findNewestWebhook(settings).catch(() => {
    throw new Error('it cannot be tested without the database.');
  });
  if (!webhook) return 'set, but not tested, since no webhook has a secret';
  try {
    new Keyring(masterKey).open(webhook.sealedSecret, endpointSecretContext(webhook.id));
  } catch {
    throw new Error(
      'the key does not decrypt the signing secrets of webhooks, so their deliveries wait. Set PARLEY_MASTER_KEY to the key that encrypted the secrets, or have their owners rotate the secrets.',
    );
  }
  return 'decrypts the signing secrets of webhooks';
}

async function findNewestWebhook(settings: Settings): Promise<Webhook | undefined> {
  const newestFirst = { order: { updatedAt: 'DESC' }, take: 1 } as const;
  const [newest] = await withAppDatabase(settings, (db) => db.repository(Webhook).find(newestFirst));
  return newest;
}
