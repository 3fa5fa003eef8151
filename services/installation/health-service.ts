import { rejectOnAbort, withDeadline } from '../../adapters/http/deadline.ts';
import { WORKER_ROLES } from '../../core/settings/worker-roles.ts';
import type { Database } from '../../database/database.ts';
import type { ServedRoles } from './served-roles.ts';

/** Source of the Temporal service's state. The API works for a while without Temporal. */
interface WorkflowState {
  state(): Promise<'ok' | 'unavailable'>;
}

export type HealthCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 2000;

type PartState = 'ok' | 'failing' | 'unavailable';

interface Background {
  workflows: WorkflowState;
  servedRoles: Pick<ServedRoles, 'listUnserved'>;
}

/**
 * Checks all services on which Parley depends. Without Temporal or workers, Parley still counts as healthy:
 * work for them waits.
 */
export class HealthService {
  readonly #checks: Record<string, HealthCheck>;
  readonly #background: Background;

  constructor(checks: Record<string, HealthCheck>, background: Background) {
    this.#checks = checks;
    this.#background = background;
  }

  /**
   * Returns the state of each service that Parley depends on. `workers: <role>` names a kind of work that no
   * worker serves.
   */
  async check(): Promise<Record<string, PartState>> {
    const workflows = this.#background.workflows.state();
    const workers = this.#checkWorkers();
    const outcomes = await Promise.all(
      Object.entries(this.#checks).map(async ([part, check]) => [part, await runHealthCheck(check)] as const),
    );
    return { ...Object.fromEntries(outcomes), workflows: await workflows, ...(await workers) };
  }

  async #checkWorkers(): Promise<Record<string, PartState>> {
    try {
      const unserved = await limitTime(this.#background.servedRoles.listUnserved());
      if (unserved.length === 0) return { workers: 'ok' };
      if (unserved.length === WORKER_ROLES.length) return { workers: 'unavailable' };
      return Object.fromEntries(unserved.map((role) => [`workers: ${role}`, 'unavailable']));
    } catch {
      // If the database fails, reports the same as without workers, since only the database records them. The
      // check of the database fails as well.
      return { workers: 'unavailable' };
    }
  }
}

export function createDatabaseCheck(database: Database): HealthCheck {
  return () => database.ping();
}

async function runHealthCheck(check: HealthCheck): Promise<'ok' | 'failing'> {
  try {
    await limitTime(check());
    return 'ok';
  } catch {
    return 'failing';
  }
}

/** @throws Error if the work takes longer than the time limit of a health check */
function limitTime<T>(work: Promise<T>): Promise<T> {
  return withDeadline(CHECK_TIMEOUT_MS, undefined, (signal) => rejectOnAbort(work, signal));
}
