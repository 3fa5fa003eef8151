import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { WorkflowProbe } from '../../adapters/temporal/workflow-probe.ts';
import { createLogger } from '../../core/logger.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { ingestWorkflowId, type WorkflowCommand } from '../../core/workflows/commands.ts';
import { CommandRelay } from '../../worker/outbox/command-relay.ts';
import { EventRelay } from '../../worker/outbox/event-relay.ts';
import { Relay } from '../../worker/outbox/relay.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildWorkspaceBelow } from '../usage/support.ts';
import { createEndpoint, emitLead } from '../webhooks/support.ts';
import { waitUntil } from '../support/wait-until.ts';
import { createTemporalClient, buildTemporalEnv } from '../support/worker.ts';
import type { EventSink } from '../../worker/outbox/batch-relay.ts';

const log = createLogger('test', 'silent');
const outbox = new OutboxService();
const idleSink: EventSink = { deliver: async () => {} };

/** Creates an event sink that deletes the delivered rows from the outbox, and passes them to `show`. */
const createTakingSink = (show: (rows: Opened<OutboxRow>[]) => void): EventSink => ({
  deliver: async (db, rows) => {
    await db.sql('DELETE FROM outbox WHERE id = ANY($1)', [rows.map(({ id }) => id)]);
    show(rows);
  },
});

/** An event sink that records deliveries in a table, so that a rolled back delivery does not count. */
class RecordingSink implements EventSink {
  #failures = 0;
  #receivedNotified = false;

  constructor(private readonly shouldFail: (row: Opened<OutboxRow>) => boolean = () => false) {}

  get failures(): number {
    return this.#failures;
  }

  /** True if the sink received events outside of a transaction, directly from the database's notifications. */
  get receivedNotified(): boolean {
    return this.#receivedNotified;
  }

  async deliver(db: Database, events: Opened<OutboxRow>[]): Promise<void> {
    this.#receivedNotified ||= !db.isTransaction;
    await db.sql(
      `WITH taken AS (DELETE FROM outbox WHERE id = ANY($1) RETURNING id) INSERT INTO delivered SELECT id FROM taken`,
      [events.map(({ id }) => id)],
    );
    if (!events.some(this.shouldFail)) return;
    this.#failures += 1;
    throw new Error('This event cannot be delivered.');
  }
}

const HOUR_MS = 3_600_000;

describe('the relay', () => {
  let parley: TestParley;
  let temporal: ReturnType<typeof createTemporalClient>;
  const relays: { relay: Relay; done: Promise<void> }[] = [];

  before(async () => {
    parley = await startParley(buildTemporalEnv());
    temporal = createTemporalClient(parley.runtime.settings);
    await parley.database.sql('CREATE TABLE delivered (id uuid NOT NULL)');
  });

  after(async () => {
    await temporal.close();
    await parley.stop();
  });

  afterEach(async () => {
    for (const { relay } of relays) relay.stop();
    await Promise.all(relays.map(({ done }) => done));
    relays.length = 0;
    for (const table of ['outbox', 'delivered']) await parley.database.sql(`DELETE FROM ${table}`);
  });

  it('lets getReadiness return 200 with the state of the workflow service, even while that service and workers are unavailable', async () => {
    const without = await parley.startAnother({ temporalAddress: '127.0.0.1:9' });
    const readiness = async (process: TestProcess) => {
      const { status, body } = await process.client().get('/api/health/ready');
      return status === 200 && body;
    };
    const parts = { database: 'ok', storage: 'ok', workers: 'unavailable' };
    // Wait for the expected state, which may be outdated at first, because a probe does not wait for a slow
    // poll.
    for (const [process, workflows] of [
      [parley, 'ok'],
      [without, 'unavailable'],
    ] as const) {
      const expected = { status: 'ok', checks: { ...parts, workflows } };
      await waitUntil(
        async () => isDeepStrictEqual(await readiness(process), expected),
        `workflows ${workflows}`,
      );
    }
    await without.stop();
  });

  itInSoak(
    'lets getReadiness call the workflow service without hooks on all promises, which would slow down every later request',
    async () => {
      let runs = 0;
      const { run } = AsyncLocalStorage.prototype;
      AsyncLocalStorage.prototype.run = function (this: unknown, ...given: unknown[]) {
        runs += 1;
        return Reflect.apply(run, this, given) as unknown;
      } as typeof run;
      const ask = () => new WorkflowProbe(parley.runtime.settings.temporalAddress).state();
      try {
        await waitUntil(async () => (await ask()) === 'ok', 'an answer in time');
        assert.equal(runs, 0);
      } finally {
        AsyncLocalStorage.prototype.run = run;
      }
    },
  );

  function startRelay({ sink = idleSink, client = temporal.client, pollMs = 1000 } = {}): void {
    const relay = new Relay({
      databaseUrl: parley.runtime.settings.databaseUrl ?? '',
      events: new EventRelay({ database: parley.runtime.queues, sink, log }),
      commands: buildCommandRelay(client),
      log,
      pollMs,
    });
    relays.push({ relay, done: relay.run() });
  }

  async function emit(count: number, orgId = newId()): Promise<void> {
    const scope = { orgId, db: parley.database };
    const contact = { contact_id: newId(), bot_id: newId(), changed: ['name'], values: { name: 'Ada' } };
    for (let index = 0; index < count; index += 1) {
      await outbox.event(scope, 'contact.updated', contact, contact.bot_id);
    }
  }

  function buildCommandRelay(client = temporal.client): CommandRelay {
    const { queues: database, settings } = parley.runtime;
    return new CommandRelay({ database, client, taskQueue: settings.temporalTaskQueue, log });
  }

  async function order(changes: Partial<WorkflowCommand> = {}, orgId = newId()): Promise<string> {
    const input = { orgId, botId: newId(), documentId: newId(), revision: 1 };
    const command = {
      workflow: 'ingestDocument',
      action: 'start',
      workflowId: ingestWorkflowId(input.documentId, 1),
      args: [input],
      summary: 'Index a text',
      ...changes,
    } as WorkflowCommand;
    await outbox.command({ orgId: input.orgId, db: parley.database }, command);
    return command.workflowId;
  }

  const outboxSize = () => parley.database.repository(OutboxRow).count();
  const listDelivered = async () =>
    (await parley.database.sql<{ id: string }>('SELECT id FROM delivered')).map(({ id }) => id);

  it('processes every event exactly once, even with two concurrent relays', async () => {
    const sink = new RecordingSink();
    await emit(300);
    startRelay({ sink });
    startRelay({ sink });
    await emit(300);
    await waitUntil(async () => (await outboxSize()) === 0, 'the outbox to be empty');
    const ids = await listDelivered();
    assert.equal(ids.length, 600);
    assert.equal(new Set(ids).size, 600);
  });

  it('processes an event after its commit without polling', async () => {
    startRelay({ sink: new RecordingSink(), pollMs: HOUR_MS });
    for (const what of ['when it listens', 'and again', 'and again']) {
      await emit(1);
      await waitUntil(async () => (await outboxSize()) === 0, `the event to be handed over ${what}`);
    }
  });

  it('does not query an event that the notification contains, and processes an identical row', async () => {
    const sink = new RecordingSink();
    const given: Opened<OutboxRow>[] = [];
    const watching: EventSink = {
      deliver: (db, events) => {
        given.push(...events);
        return sink.deliver(db, events);
      },
    };
    startRelay({ sink: watching });
    let row: OutboxRow | undefined;
    while (!sink.receivedNotified) {
      await parley.database.transaction(async (db) => {
        const orgId = newId();
        const contact = { contact_id: newId(), bot_id: newId(), changed: ['name'], values: { name: 'Ada' } };
        await outbox.event({ orgId, db }, 'contact.updated', contact, contact.bot_id);
        row = await db.repository(OutboxRow).findOneByOrFail({ orgId });
      });
      await waitUntil(async () => (await outboxSize()) === 0, 'the event to be handed over');
    }
    assert.deepEqual({ ...given.at(-1) }, { ...row });
  });

  itInSoak('processes events that are too large for a notification', async () => {
    const sink = new RecordingSink();
    startRelay({ sink });
    const contact = {
      contact_id: newId(),
      bot_id: newId(),
      changed: ['name'],
      values: { name: 'é'.repeat(9000) },
    };
    await outbox.event({ orgId: newId(), db: parley.database }, 'contact.updated', contact, contact.bot_id);
    await waitUntil(async () => (await listDelivered()).length === 1, 'the event to be handed over');
  });

  itInSoak('finds events that were committed while no relay ran', async () => {
    await emit(3);
    await sleep(50);
    const sink = new RecordingSink();
    startRelay({ sink });
    await waitUntil(async () => (await listDelivered()).length === 3, 'three deliveries');
  });

  it('continues with other events after an event has failed', async () => {
    await emit(5);
    const [bad] = await parley.database.repository(OutboxRow).find({ order: { id: 'ASC' } });
    const sink = new RecordingSink(({ id }) => id === bad?.id);
    const startedAt = Date.now();
    startRelay({ sink });
    await waitUntil(async () => (await listDelivered()).length === 4, 'four deliveries');
    await waitUntil(
      async () => (await parley.database.repository(OutboxRow).findOneByOrFail({})).attempts > 0,
      'the failure to be noted',
    );
    const left = await parley.database.repository(OutboxRow).findOneByOrFail({});
    assert.equal(left.id, bad?.id);
    assert.match(left.lastError ?? '', /cannot be delivered/);
    assert.ok(left.dueAt.getTime() > startedAt);
  });

  it('takes events of all payers in turn, however many events one of them has', async () => {
    await emit(1000);
    await emit(1);
    const { queues: database } = parley.runtime;
    const delivered: string[][] = [];
    const sink = createTakingSink((rows) => delivered.push(rows.map(({ orgId }) => orgId)));
    const events = new EventRelay({ database, sink, log });
    while (await events.relayBatch());
    const [first, second] = delivered;
    assert.deepEqual([first?.length, new Set(first).size], [101, 2]);
    assert.deepEqual([second?.length, new Set(second).size], [200, 1]);
    assert.equal(delivered.flat().length, 1001);
  });

  it('takes events of all payers in turn, however many workspaces one of them has', async () => {
    const { orgId } = await parley.buildOrg();
    const below = await Promise.all(Array.from({ length: 9 }, () => buildWorkspaceBelow(parley, orgId)));
    const orgIds = [orgId, ...below.map((each) => each.orgId)];
    await emit(300, orgId);
    for (const each of below) await emit(5, each.orgId);
    const other = newId();
    await emit(150, other);
    const delivered: { payer: number; other: number }[] = [];
    const sink = createTakingSink((rows) =>
      delivered.push({
        payer: rows.filter((row) => orgIds.includes(row.orgId)).length,
        other: rows.filter((row) => row.orgId === other).length,
      }),
    );
    const events = new EventRelay({ database: parley.runtime.queues, sink, log });
    while (await events.relayBatch());
    assert.deepEqual(delivered.slice(0, 2), [
      { payer: 55, other: 100 },
      { payer: 100, other: 50 },
    ]);
    assert.equal(
      delivered.reduce((sum, { payer }) => sum + payer, 0),
      345,
    );
  });

  it('starts ten workflows of a payer at once, first in the workspaces that have waited longest', async () => {
    const { orgId } = await parley.buildOrg();
    const below = await Promise.all(Array.from({ length: 11 }, () => buildWorkspaceBelow(parley, orgId)));
    for (const each of below.toReversed()) await order({}, each.orgId);
    await parley.database.repository(OutboxRow).updateAll({ dueAt: new Date(Date.now() - 1000) });
    const commands = buildCommandRelay();
    await commands.relayBatch();
    const [left] = await parley.database.repository(OutboxRow).find();
    assert.deepEqual([await outboxSize(), left?.orgId], [1, below[0]!.orgId]);
  });

  itInSoak('takes fewer events at once from a workspace with many endpoints', async () => {
    const org = await parley.buildOrg();
    for (let count = 0; count < 50; count += 1) await createEndpoint(org, 'http://127.0.0.1:9/');
    for (let count = 0; count < 100; count += 1) await emitLead(parley, org);
    const delivered: number[] = [];
    const sink = createTakingSink((rows) => delivered.push(rows.length));
    const events = new EventRelay({ database: parley.runtime.queues, sink, log });
    while (await events.relayBatch());
    assert.deepEqual(delivered, [40, 40, 20]);
  });

  itInSoak(
    'starts ten workflows of a workspace at once, and workflows of another workspace concurrently',
    async () => {
      const orgId = newId();
      for (let count = 0; count < 25; count += 1) await order({}, orgId);
      const commands = buildCommandRelay();
      const left: number[] = [];
      const relayBatch = async () => {
        await commands.relayBatch();
        left.push(await outboxSize());
      };
      await relayBatch();
      await order();
      await relayBatch();
      await relayBatch();
      assert.deepEqual(left, [15, 5, 0]);
    },
  );

  it('starts a workflow once, even with two relays and a repeated command', async () => {
    startRelay();
    startRelay();
    const workflowId = await order();
    await waitUntil(async () => (await outboxSize()) === 0, 'the workflow to be started');
    await order({ workflowId });
    await waitUntil(async () => (await outboxSize()) === 0, 'the repeated command to be done');
    const runs: string[] = [];
    await waitUntil(async () => {
      runs.length = 0;
      for await (const { runId } of temporal.client.workflow.list({
        query: `WorkflowId = '${workflowId}'`,
      })) {
        runs.push(runId);
      }
      return runs.length > 0;
    }, 'the workflow to be listed');
    assert.equal(runs.length, 1);
  });

  it('sets the search attributes and the summary of each workflow', async () => {
    startRelay();
    const workflowId = await order();
    await waitUntil(async () => (await outboxSize()) === 0, 'the workflow to be started');
    const description = await temporal.client.workflow.getHandle(workflowId).describe();
    assert.equal(await description.staticSummary(), 'Index a text');
    const names = [...description.typedSearchAttributes.getAll()].map(({ key }) => key.name);
    assert.deepEqual(names.toSorted(), ['BotId', 'DocumentId', 'OrgId']);
  });

  it('parks a command that can never succeed, and continues with other commands', async () => {
    startRelay();
    await order({ workflow: 'makeCoffee' } as never);
    const workflowId = await order();
    await waitUntil(async () => (await outboxSize()) === 1, 'the good command to be done');
    await temporal.client.workflow.getHandle(workflowId).describe();
    const parkedRow = async () => {
      const [row] = await parley.database.sql<{ last_error: string | null; is_parked: boolean }>(
        "SELECT last_error, due_at = 'infinity' AS is_parked FROM outbox",
      );
      return row;
    };
    await waitUntil(
      async () => typeof (await parkedRow())?.last_error === 'string',
      'the bad command to be put off',
    );
    const parked = await parkedRow();
    assert.deepEqual(parked, { last_error: 'There is no workflow "makeCoffee".', is_parked: true });
  });

  itInSoak('continues after PostgreSQL has cut its connections', async () => {
    startRelay({ sink: new RecordingSink() });
    await emit(1);
    await waitUntil(async () => (await outboxSize()) === 0, 'the relay to listen');
    const cutConnections =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()';
    await parley.database.sql(cutConnections).catch(() => {});
    const isPoolBack = () =>
      emit(1).then(
        () => true,
        () => false,
      );
    await waitUntil(isPoolBack, 'the pool to be back');
    await waitUntil(async () => (await outboxSize()) === 0, 'the event to be handed over');
  });
});
