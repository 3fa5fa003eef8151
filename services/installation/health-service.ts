import type { Database } from '../../database/database.ts';

/** Checks the Temporal service. The API works for a while without Temporal. */
export interface WorkflowState {
  state(): Promise<'ok' | 'unavailable'>;
}

export type HealthCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 2000;

/** Checks all services on which Parley depends. Without Temporal, Parley still counts as healthy. */
export class HealthService {
  readonly #checks: Record<string, HealthCheck>;
  readonly #workflows: WorkflowState;

  constructor(checks: Record<string, HealthCheck>, workflows: WorkflowState) {
    this.#checks = checks;
    this.#workflows = workflows;
  }

  async check(): Promise<Record<string, 'ok' | 'failing' | 'unavailable'>> {
    const workflows = this.#workflows.state();
    const outcomes = await Promise.all(
      Object.entries(this.#checks).map(async ([part, check]) => [part, await runHealthCheck(check)] as const),
    );
    return { ...Object.fromEntries(outcomes), workflows: await workflows };
  }
}

export function createDatabaseCheck(database: Database): HealthCheck {
  return () => database.ping();
}

async function runHealthCheck(check: HealthCheck): Promise<'ok' | 'failing'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
    return 'ok';
  } catch {
    return 'failing';
  } finally {
    clearTimeout(timer);
  }
}
