import assert from 'node:assert/strict';
import { operations } from '../../../api/registry.ts';
import { newId } from '../../../core/ids.ts';
import { findFreePorts } from '../../../scripts/launcher/ports.ts';
import { readHistoryText } from '../../support/history-text.ts';
import { KeyServiceFront } from '../../support/key-service-front.ts';
import { Moto } from '../../support/moto.ts';
import { openTelemetry } from '../../support/open-telemetry.ts';
import { buildOperationPath } from '../../support/operation-calls.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../../support/otlp-receiver.ts';
import { formatOutcome } from '../../support/outcome.ts';
import type { ApiClient, ApiResponse } from '../../support/parley.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { buildOwner, startVault, type TestVault } from '../../encryption/support.ts';

const REGION = 'eu-central-1';
const reads = operations.filter(({ method, path, auth }) => {
  const isOfWorkspace = [...path.matchAll(/\{(\w+)\}/g)].every(([, name]) => name === 'org_id');
  return method === 'GET' && isOfWorkspace && ['member', 'user', 'session', 'account'].includes(auth);
});

/** A type of key service behind a proxy, with the secrets of its credentials. */
interface Kind {
  type: string;
  front: KeyServiceFront;
  service: Record<string, string>;
  secrets: string[];
}

describe('credentials of a key service', () => {
  const recorded = recordLog('trace');
  let otlp: OtlpReceiver;
  let vault: TestVault;
  let moto: Moto | undefined;
  let kms: KeyServiceFront | undefined;
  let parley: TestParleyWithWorker;
  let ports: number[];
  before(async () => {
    [otlp, vault, moto, ports] = await Promise.all([
      startOtlpReceiver(),
      startVault(),
      Moto.start(),
      findFreePorts(2),
    ]);
    kms = moto && (await KeyServiceFront.start(moto.url));
    const env = {
      PARLEY_METRICS_PORT: String(ports[0]),
      PARLEY_WORKER_METRICS_PORT: String(ports[1]),
      ...(kms && { PARLEY_AWS_KMS_URL: kms.url }),
    };
    const tracing = openTelemetry(otlp.url, recorded.log);
    parley = await startParleyWithWorker(env, { log: recorded.log, tracing });
  });
  after(async () => {
    await parley?.stop();
    await Promise.all([vault?.stop(), kms?.stop(), otlp?.close()]);
    await moto?.stop();
  });

  it('are in no response, replay, log, trace, metric, table or history, for Vault', () => {
    const { front, service } = vault;
    return assertKeptSecret({ type: service.type, front, service, secrets: [service.token] });
  });

  it('are in no response, replay, log, trace, metric, table or history, for AWS KMS', async function () {
    // Skip the tests: their fake of AWS KMS needs Python.
    if (!moto || !kms) return this.skip();
    const credentials = { access_key_id: `AKIA${newId()}`, secret_access_key: newId() };
    const key_arn = await moto.createKey(REGION);
    const service = { type: 'aws_kms', key_arn, region: REGION, ...credentials };
    await assertKeptSecret({ type: 'aws_kms', front: kms, service, secrets: Object.values(credentials) });
  });

  async function assertKeptSecret({ front, service, secrets }: Kind): Promise<void> {
    const { owner, orgId, path, userId } = await buildOwner(parley);
    const responses: string[] = [];
    const note = async <T>(call: Promise<ApiResponse<T>>) => {
      const response = await call;
      responses.push(JSON.stringify([response.status, [...response.headers], response.body]));
      return response;
    };
    const save = (key_service: unknown, headers = {}) =>
      note(owner.patch(path, { settings: { key_service } }, headers));

    for (const given of buildRefusedBodies(service, secrets)) assert.equal((await save(given)).status, 422);
    for (const mode of ['refuse', 'fail', 'redirect'] as const) {
      front.mode = mode;
      assert.equal((await save(service)).status, 422);
    }
    front.mode = 'pass';
    const named = { 'idempotency-key': newId() };
    assert.equal((await save(service, named)).status, 200);
    assert.equal((await save(service, named)).headers.get('idempotent-replay'), 'true');

    assert.equal((await note(owner.put('/api/encryption', { mode: 'tenant' }))).status, 200);
    await createConversation(orgId);
    const isDone = async () => !(await note(owner.get('/api/encryption'))).body.sealing;
    await waitUntil(isDone, 'all to be sealed');
    assert.equal((await note(owner.post('/api/encryption/rotate'))).status, 200);
    front.mode = 'refuse';
    await check();
    await note(owner.get('/api/encryption'));
    assert.equal(
      formatOutcome(await note(owner.put('/api/encryption', { mode: 'platform' }))),
      '423 key_unavailable',
    );
    front.mode = 'pass';
    await check();
    await note(owner.post(`${path}/children`, { name: 'Below' }));
    await note(owner.post('/api/auth/switch-org', { org_id: orgId }));
    await readAll(owner, orgId, note);

    const found = { told: responses.join('\n'), ...(await readEverythingElse(orgId)) };
    for (const [where, text] of Object.entries(found)) {
      assert.ok(text.includes(where === 'metrics' ? 'parley_' : orgId), `nothing was read of ${where}`);
      for (const form of secrets.flatMap(listSecretForms)) assert.ok(!text.includes(form), where);
    }
    assert.ok(found.history.includes('checkSomeKeyServices') && found.history.includes('finishResealing'));
    assert.ok(found.tables.includes(userId));
  }

  async function createConversation(orgId: string): Promise<void> {
    const { client } = await parley.buildOrg({ orgId });
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk' });
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = parley.client(session.visitor_token);
    const sent = await visitor.post(`/api/public/sessions/${session.session_id}/messages`, {
      content: 'Hello',
    });
    assert.equal(sent.status, 201);
  }

  async function readAll(
    owner: ApiClient,
    orgId: string,
    note: (call: Promise<ApiResponse>) => Promise<ApiResponse>,
  ): Promise<void> {
    const streams = new Set(['streamInbox', 'exportContacts']);
    for (const operation of reads.filter(({ id }) => !streams.has(id)))
      await note(owner.get(buildOperationPath(operation, { org_id: orgId })));
  }

  /** Runs the check of key services as its schedule does, which emails owners. */
  async function check(): Promise<void> {
    const handle = await parley.temporal.workflow.start('checkKeyServices', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: `check-key-services-${newId()}`,
    });
    await handle.result();
  }

  async function readEverythingElse(orgId: string) {
    const isTraced = () => JSON.stringify(otlp.spans).includes(orgId);
    await waitUntil(isTraced, 'the traces');
    const metrics = await Promise.all(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    );
    return {
      log: JSON.stringify(recorded.entries()),
      traces: JSON.stringify(otlp.spans),
      metrics: metrics.join('\n'),
      tables: await readTablesText(),
      history: await readHistoriesText(),
    };
  }

  async function readTablesText(): Promise<string> {
    const tables = await parley.database.sql<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    const texts = tables.map(async ({ name }) => {
      const rows = await parley.database.sql<{ text: string }>(`SELECT t::text AS text FROM "${name}" t`);
      return rows.map(({ text }) => text).join('\n');
    });
    return (await Promise.all(texts)).join('\n');
  }

  async function readHistoriesText(): Promise<string> {
    const query = `TaskQueue STARTS_WITH "${parley.runtime.settings.temporalTaskQueue}"`;
    const texts: string[] = [];
    for await (const { workflowId, runId } of parley.temporal.workflow.list({ query }))
      texts.push(workflowId, await readHistoryText(parley.temporal.workflow.getHandle(workflowId, runId)));
    return texts.join('\n');
  }
});

/** Builds request bodies that the API refuses and that contain the secrets in different fields. */
function buildRefusedBodies(service: Record<string, string>, secrets: readonly string[]): unknown[] {
  const other = service['type'] === 'aws_kms' ? 'vault_transit' : 'aws_kms';
  return [
    ...secrets,
    { ...service, type: other },
    { ...service, more: secrets[0] },
    { ...service, type: secrets[0] },
    { ...service, ...(service['type'] === 'aws_kms' ? { region: secrets[0] } : { url: secrets[0] }) },
  ];
}

/** Returns the secret in each form in which Parley could store it, including base64 within a longer text. */
function listSecretForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const within = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), ...within];
}
