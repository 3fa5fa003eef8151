import { fileURLToPath } from 'node:url';
import { GuardedProcess } from './guarded-process.ts';
import { projectRoot } from './project-root.ts';
import type { Service } from './supervisor.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface ApplicationOptions {
  folder: string;
  env: Record<string, string | undefined>;
  /** Milliseconds for which the process may complete its work after SIGTERM before the launcher kills it. */
  graceMs: number;
}

/** Milliseconds added to the grace period, so that the launcher does not kill a process that needs the whole period. */
const GRACE_MARGIN_MS = 200;

/**
 * Maximum number of glibc's memory arenas. By default, glibc keeps freed memory for each thread, and the
 * worker starts a thread for each document.
 */
const MALLOC_ARENA_MAX = '2';

/**
 * Limits of the worker's heaps in MB. Without a limit, Node.js delays garbage collection as long as the
 * machine has memory. Threads for documents and workflows have their own heaps. The heap of new objects takes
 * twice its limit, and reaches the limit under continuous load.
 */
const WORKER_HEAP = ['--max-old-space-size=512', '--max-semi-space-size=16'];

/**
 * Limit of the API's heap of new objects, in MB. The objects of hundreds of concurrent requests fit into it,
 * so that collecting them costs little. The heap starts small (`api/young-heap.ts`), because V8 would take
 * twice this size from the start.
 */
const API_YOUNG_HEAP = ['--max-semi-space-size=64'];

const HEAP = { api: API_YOUNG_HEAP, worker: WORKER_HEAP };

/** Returns the arguments with which Node.js runs the compiled API or worker. */
export function buildApplicationArguments(name: 'api' | 'worker'): string[] {
  return [...HEAP[name], fileURLToPath(new URL(`dist/${name}/main.js`, projectRoot()))];
}

/** Runs the compiled API or worker in a separate process. */
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
      args: buildApplicationArguments(this.name),
      env: { MALLOC_ARENA_MAX, ...env },
      stopSteps: [{ signal: 'SIGTERM', waitMs: graceMs + GRACE_MARGIN_MS }],
      folder,
    });
  }

  async ready(running: GuardedProcess): Promise<void> {
    const url = this.#readyUrl;
    if (url === undefined) return;
    await waitUntilReady(running, this.label, 60_000, async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      if (!response.ok) throw new Error(`it responds with status ${response.status}`);
    });
  }
}
