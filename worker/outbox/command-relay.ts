import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import type { Tracing } from '../../adapters/telemetry/tracing.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import { OutboxQueueRepository } from '../../repositories/outbox/outbox-queue.repository.ts';
import { findPayerId } from '../../services/requests/payer-queue.ts';
import { isCommanded } from '../../core/workflows/workflow-catalog.ts';
import type { WorkflowCommand } from '../../core/workflows/commands.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { traceRelay } from '../spans.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';
import type { BatchRelay } from './batch-relay.ts';
import type { ClaimedCommand } from '../../repositories/outbox/outbox.sql.ts';

const BATCH_SIZE = 50;
/**
 * Maximum number of commands of one payer in a batch from the outbox. A command of another payer waits for at
 * most this many commands, in the relay and in Temporal.
 */
const TURN_SIZE = 10;
/**
 * Time in seconds for which a worker leases a command in the outbox, longer than a batch takes. Connecting
 * and starting a workflow have time limits, and all commands of a batch run concurrently.
 */
const COMMAND_LEASE_SECONDS = 10;
const START_TIMEOUT_MS = 5000;
/**
 * Pauses after Temporal was unavailable for commands from the outbox. They are short, so that commands
 * continue soon after Temporal is back.
 */
const PAUSES = { firstMs: 500, maxMs: 10_000 };
const SUMMARY_MAX_LENGTH = 200;

/** Thrown for a command in the outbox that would fail in every retry. */
class BadCommand extends Error {}

export interface CommandRelayDeps {
  database: Database;
  client: Client;
  taskQueue: string;
  log: Logger;
  tracing?: Tracing | undefined;
}

/**
 * Starts and signals workflows, as the commands in the outbox request. Each row is leased while its command
 * is sent, then deleted. If the process ends in between, the command is sent again; Temporal recognizes the
 * workflow by its id.
 */
export class CommandRelay implements BatchRelay {
  readonly kind = 'command';
  readonly #deps: CommandRelayDeps;
  readonly #queue: OutboxQueueRepository;

  constructor(deps: CommandRelayDeps) {
    this.#deps = deps;
    this.#queue = new OutboxQueueRepository(deps.database);
  }

  async relayBatch(): Promise<boolean> {
    const rows = await this.#queue.claimCommands(
      { limit: BATCH_SIZE, maxPerPayer: TURN_SIZE },
      COMMAND_LEASE_SECONDS,
    );
    const outcomes = await Promise.allSettled(rows.map((row) => this.#sendCommand(row)));
    const relayedIds = rows
      .filter((_row, index) => outcomes[index]?.status === 'fulfilled')
      .map(({ id }) => id);
    await this.#queue.deleteAll(relayedIds);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') await this.#postpone(rows[index]!, outcome.reason);
    }
    return rows.length > 0;
  }

  async #sendCommand(row: ClaimedCommand): Promise<void> {
    const { database: db, client, taskQueue, tracing } = this.#deps;
    const command = parseCommand(row);
    const options: WorkflowStartOptions = {
      taskQueue,
      workflowId: command.workflowId,
      args: command.args,
      workflowIdReusePolicy: isRepeatable(command) ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: shortenSummary(command.summary),
      typedSearchAttributes: toSearchAttributes(command),
      priority: { fairnessKey: await findPayerId({ orgId: row.orgId, db }) },
    };
    const startOrSignal = () =>
      client.connection.withDeadline(Date.now() + START_TIMEOUT_MS, async () => {
        if (command.action === 'start') await client.workflow.start(command.workflow, options);
        else
          await client.workflow.signalWithStart(command.workflow, {
            ...options,
            ...toSignalOptions(command),
          });
      });
    try {
      await traceRelay(tracing, row, startOrSignal);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  async #postpone({ id, name, attempts }: ClaimedCommand, error: unknown): Promise<void> {
    const isPermanent = error instanceof BadCommand;
    const pauseSeconds = backoffMs(attempts - 1, PAUSES) / 1000;
    const context = { err: error, outboxId: id, workflow: name, attempts };
    if (isPermanent) this.#deps.log.error(context, 'command can never succeed; it is parked in the outbox');
    else this.#deps.log.warn(context, 'cannot send a command to Temporal; retrying');
    await this.#queue.postponeCommand(id, describeRelayError(error), isPermanent ? null : pauseSeconds);
  }
}

const knownActions: ReadonlySet<string> = new Set<WorkflowCommand['action']>(['start', 'signal']);

function parseCommand({ name, payload }: ClaimedCommand): WorkflowCommand {
  const command = { ...payload, workflow: name } as WorkflowCommand;
  if (!isCommanded(name)) throw new BadCommand(`There is no workflow "${name}".`);
  if (!knownActions.has(command.action) || !command.workflowId || !Array.isArray(command.args)) {
    throw new BadCommand('The command lacks its action, workflow id or arguments.');
  }
  return command;
}

function toSignalOptions({ signal, signalArgs }: Extract<WorkflowCommand, { action: 'signal' }>) {
  return { signal, signalArgs };
}

function isRepeatable(command: WorkflowCommand): boolean {
  return command.action === 'signal' || command.isRepeatable === true;
}

const searchableInputs = [
  'orgId',
  'botId',
  'documentId',
  'conversationId',
  'endpointId',
  'eventName',
  'policyId',
] as const;

function toSearchAttributes({ args: [input] }: WorkflowCommand): SearchAttributePair[] {
  const values: Record<string, unknown> = { ...input };
  return searchableInputs.flatMap((key): SearchAttributePair[] => {
    const value = values[key];
    if (typeof value !== 'string') return [];
    return [{ key: searchAttributes[key], value } as SearchAttributePair];
  });
}

function shortenSummary(summary: string): string {
  return summary.length > SUMMARY_MAX_LENGTH ? `${summary.slice(0, SUMMARY_MAX_LENGTH - 1)}…` : summary;
}

function describeRelayError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error instanceof Error ? error.message : String(error)}${cause}`;
}
