import type { Tracing } from '../../adapters/telemetry/tracing.ts';
import { newId } from '../../core/ids.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import {
  OutboxRepository,
  type NewEvent,
  type OutboxEntry,
} from '../../repositories/outbox/outbox.repository.ts';
import type { WorkflowCommand } from '../../core/workflows/commands.ts';
import type { OutboxEventData, OutboxEventName } from '../alerts/alert-events.ts';
import { batchedEvents, contentEvents } from '../webhooks/event-catalog.ts';

/** Workspace id of outbox rows that belong to no workspace. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** An event to publish through the outbox, with its workspace, bot and trace context. */
export type AddressedEvent = {
  [E in OutboxEventName]: Pick<NewEvent, 'orgId' | 'botId' | 'traceparent'> & {
    name: E;
    payload: OutboxEventData[E];
    /**
     * Key that encrypts the event's payload; null to store plain text, undefined to look up the workspace's
     * key.
     */
    key?: ContentKey | null;
  };
}[OutboxEventName];

/** A command to a workflow, with its workspace and trace context. */
export interface AddressedCommand {
  orgId: string;
  command: WorkflowCommand;
  traceparent: string | null;
}

/**
 * Writes events, and commands to workflows, into the outbox table in the caller's transaction. After COMMIT,
 * the relay delivers them at least once; consumers detect repeats by the row's id.
 */
export class OutboxService {
  readonly #rows = new OutboxRepository();
  readonly #tracing: Pick<Tracing, 'traceparent'> | undefined;

  constructor(tracing?: Pick<Tracing, 'traceparent'>) {
    this.#tracing = tracing;
  }

  /** Trace context of the current span (W3C `traceparent`); null if tracing is disabled. */
  get traceparent(): string | null {
    return this.#tracing?.traceparent ?? null;
  }

  /**
   * @param botId null for an event of the workspace as a whole
   * @throws AppError `key_unavailable` for an event that contains content
   */
  async event<E extends OutboxEventName>(
    { db, orgId }: OrgScope,
    name: E,
    data: OutboxEventData[E],
    botId: string | null,
  ): Promise<void> {
    const { traceparent } = this;
    const payload = { ...data };
    const event = { id: newId(), orgId, botId, name, payload, traceparent };
    await this.#rows.insertEvent(db, { ...event, key: selectEventKey(name) });
  }

  /**
   * Writes events, possibly of several workspaces, in the same round trip as COMMIT.
   * @throws AppError `key_unavailable`
   */
  async events(db: Database, events: readonly AddressedEvent[]): Promise<void> {
    const isBatched = events.every(({ name }) => batchedEvents.some((batched) => batched === name));
    const rows = events.map((event) => ({
      ...event,
      id: newId(),
      key: selectEventKey(event.name, event.key),
    }));
    await this.#rows.insertEventsLast(db, rows, isBatched);
  }

  async command({ db, orgId }: OrgScope, command: WorkflowCommand): Promise<void> {
    await this.commands(db, [{ orgId, command, traceparent: this.traceparent }]);
  }

  /** Writes commands to workflows, possibly of several workspaces. */
  async commands(db: Database, commands: readonly AddressedCommand[]): Promise<void> {
    await this.#rows.insertCommands(db, commands.map(toOutboxEntry));
  }

  /**
   * Writes commands to workflows in the same round trip as COMMIT.
   * @throws Error outside of a transaction
   */
  commandsLast(db: Database, commands: readonly AddressedCommand[]): void {
    this.#rows.insertCommandsLast(db, commands.map(toOutboxEntry));
  }
}

/**
 * Returns the key that encrypts the event; null for an event without content of conversations, which stays
 * readable while the key is unavailable.
 */
function selectEventKey(name: OutboxEventName, known?: ContentKey | null): ContentKey | null | undefined {
  return contentEvents.has(name) ? known : null;
}

function toOutboxEntry({
  orgId,
  traceparent,
  command: { workflow, ...payload },
}: AddressedCommand): OutboxEntry {
  return { id: newId(), orgId, name: workflow, payload, traceparent };
}
