import type { Tracing } from '../../adapters/telemetry/tracing.ts';
import { newId } from '../../core/ids.ts';
import { OUTBOX_CHANNEL, tellOf, type OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { WorkflowCommand } from '../../workflows/shared/commands.ts';
import type { EventData, EventName } from '../webhooks/event-catalogue.ts';

/** Rows belong to a workspace: those that belong to none. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/**
 * Records, in the caller's transaction, what is to happen after it commits. The relay hands it over afterwards,
 * as often as it takes; so its consumers recognise repeats by the row's id.
 */
export class OutboxService {
  readonly #tracing: Pick<Tracing, 'traceparent'> | undefined;

  constructor(tracing?: Pick<Tracing, 'traceparent'>) {
    this.#tracing = tracing;
  }

  /** The span at hand, which a row belongs to. */
  get traceparent(): string | null {
    return this.#tracing?.traceparent ?? null;
  }

  async event<E extends EventName>(
    scope: OrgScope,
    name: E,
    data: EventData[E],
    botId: string,
  ): Promise<void> {
    await this.#insert(scope, 'event', botId, { id: newId(), name, payload: data });
  }

  async command(scope: OrgScope, command: WorkflowCommand): Promise<void> {
    await this.#insert(scope, 'command', null, outboxCommand(command));
  }

  /** Due by a time that is cut, not rounded up: the relay comes within the same millisecond. */
  async #insert(
    scope: OrgScope,
    kind: OutboxRow['kind'],
    botId: string | null,
    { id, name, payload }: OutboxEntry,
  ): Promise<void> {
    await scope.db.sql(
      `WITH written AS (
         INSERT INTO outbox (id, org_id, bot_id, kind, name, payload, traceparent, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, date_trunc('milliseconds', now()))
         RETURNING *
       ) ${kind === 'event' ? tellOf('written') : `SELECT pg_notify('${OUTBOX_CHANNEL}', 'command')`}`,
      [id, scope.orgId, botId, kind, name, JSON.stringify(payload), this.traceparent],
    );
  }
}

/** What a row says, for statements that write it themselves. */
export interface OutboxEntry {
  id: string;
  name: string;
  payload: object;
}

export function outboxCommand({ workflow, ...payload }: WorkflowCommand): OutboxEntry {
  return { id: newId(), name: workflow, payload };
}
