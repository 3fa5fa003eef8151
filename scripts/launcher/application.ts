import { fileURLToPath } from 'node:url';
import { GuardedProcess } from './guarded-process.ts';
import { projectRoot } from './project-root.ts';
import type { Service } from './supervisor.ts';
import { untilReady } from './until-ready.ts';

export interface ApplicationOptions {
  folder: string;
  env: Record<string, string | undefined>;
  /** How long the process drains before it is killed. */
  graceMs: number;
}

/** Beyond the grace, so that a process that keeps to it is not killed. */
const GRACE_MARGIN_MS = 200;

/** By default glibc keeps memory that threads have freed in many places; the worker starts one for each document. */
const MALLOC_ARENA_MAX = '2';

/**
 * Room for what a worker holds, in MB. Node would take as much as the machine allows before it collects garbage; the threads
 * for documents and workflows have heaps of their own. The young heap is taken twice, and grows to its limit with any work that lasts.
 */
const WORKER_HEAP = ['--max-old-space-size=512', '--max-semi-space-size=16'];

/**
 * In MB. Hundreds of requests at once leave less than this before they are answered; what is garbage by the time it is looked at
 * costs nothing. From the first moment it would take all of that memory twice (`api/young-heap.ts`).
 */
const API_YOUNG_HEAP = ['--max-semi-space-size=64'];

const HEAP = { api: API_YOUNG_HEAP, worker: WORKER_HEAP };

/** Node's arguments for a compiled API or worker. */
export function applicationArguments(name: 'api' | 'worker'): string[] {
  return [...HEAP[name], fileURLToPath(new URL(`dist/${name}/main.js`, projectRoot()))];
}

/** The API or the worker, compiled, in a process of its own. */
export class ApplicationService implements Service {
  readonly name: 'api' | 'worker';
  readonly label: string;
  readonly #options: ApplicationOptions;
  readonly #readyUrl: string | undefined;

  constructor(name: 'api' | 'worker', options: ApplicationOptions, readyUrl?: string) {
    this.name = name;
    this.label = name === 'api' ? 'The API' : 'The worker';
    this.#options = options;
    this.#readyUrl = readyUrl;
  }

  spawn(): GuardedProcess {
    const { folder, env, graceMs } = this.#options;
    return new GuardedProcess({
      name: this.name,
      command: process.execPath,
      args: applicationArguments(this.name),
      env: { MALLOC_ARENA_MAX, ...env },
      stopSteps: [{ signal: 'SIGTERM', waitMs: graceMs + GRACE_MARGIN_MS }],
      folder,
    });
  }

  async ready(running: GuardedProcess): Promise<void> {
    const url = this.#readyUrl;
    if (url === undefined) return;
    await untilReady(running, this.label, 60_000, async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      if (!response.ok) throw new Error(`it answers ${response.status}`);
    });
  }
}
