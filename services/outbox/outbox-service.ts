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
import { batchedEvents, contentEvents } from '../webhooks/event-catalogue.ts';

/** Rows belong to a workspace: those that belong to none. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** An event as the catalogues have it, of a bot of a workspace, and the span that it belongs to. */
export type AddressedEvent = {
  [E in OutboxEventName]: Pick<NewEvent, 'orgId' | 'botId' | 'traceparent'> & {
    name: E;
    payload: OutboxEventData[E];
    /** What it is sealed with, if that is known; null where it stays readable. */
    key?: ContentKey | null;
  };
}[OutboxEventName];

/** A command of a workspace, and the span that it belongs to. */
export interface AddressedCommand {
  orgId: string;
  command: WorkflowCommand;
  traceparent: string | null;
}

/**
 * Records, in the caller's transaction, what is to happen after it commits. The relay hands it over afterwards,
 * as often as it takes; so its consumers recognise repeats by the row's id.
 */
export class OutboxService {
  readonly #rows = new OutboxRepository();
  readonly #tracing: Pick<Tracing, 'traceparent'> | undefined;

  constructor(tracing?: Pick<Tracing, 'traceparent'>) {
    this.#tracing = tracing;
  }

  /** The span at hand, which a row belongs to. */
  get traceparent(): string | null {
    return this.#tracing?.traceparent ?? null;
  }

  /**
   * @param botId null for what is of the workspace, and of none of its bots
   * @throws AppError `key_unavailable` for what tells content
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
    await this.#rows.insertEvent(db, { ...event, key: keyFor(name) });
  }

  /** The same for several at once, of any workspaces. They go out with COMMIT. @throws AppError `key_unavailable` */
  async events(db: Database, events: readonly AddressedEvent[]): Promise<void> {
    const isUnhurried = events.every(({ name }) => batchedEvents.some((batched) => batched === name));
    const rows = events.map((event) => ({ ...event, id: newId(), key: keyFor(event.name, event.key) }));
    await this.#rows.insertEventsLast(db, rows, isUnhurried);
  }

  async command({ db, orgId }: OrgScope, command: WorkflowCommand): Promise<void> {
    await this.commands(db, [{ orgId, command, traceparent: this.traceparent }]);
  }

  /** The same for several at once, of any workspaces. */
  async commands(db: Database, commands: readonly AddressedCommand[]): Promise<void> {
    await this.#rows.insertCommands(db, commands.map(entryOf));
  }

  /** The same for what is written last: they go out with COMMIT. @throws Error outside of a transaction */
  commandsLast(db: Database, commands: readonly AddressedCommand[]): void {
    this.#rows.insertCommandsLast(db, commands.map(entryOf));
  }
}

/** What tells no content stays readable, and can be told while the key is out of reach. */
function keyFor(name: OutboxEventName, known?: ContentKey | null): ContentKey | null | undefined {
  return contentEvents.has(name) ? known : null;
}

function entryOf({ orgId, traceparent, command: { workflow, ...payload } }: AddressedCommand): OutboxEntry {
  return { id: newId(), orgId, name: workflow, payload, traceparent };
}
