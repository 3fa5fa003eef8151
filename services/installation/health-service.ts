import type { Database } from '../../database/database.ts';

/** Whether something answers that the API works without for a while. */
export interface WorkflowState {
  state(): Promise<'ok' | 'unavailable'>;
}

export type HealthCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 2000;

/** Asks every part that the service depends on whether it answers; without the workflow service it works on. */
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
      Object.entries(this.#checks).map(async ([part, check]) => [part, await outcomeOf(check)] as const),
    );
    return { ...Object.fromEntries(outcomes), workflows: await workflows };
  }
}

export function databaseCheck(database: Database): HealthCheck {
  return () => database.ping();
}

async function outcomeOf(check: HealthCheck): Promise<'ok' | 'failing'> {
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
