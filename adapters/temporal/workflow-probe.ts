import type { Connection, ConnectionOptions } from '@temporalio/client';

export type WorkflowState = 'ok' | 'unavailable';

const TIMEOUT_MS = 1000;
/** For so long an answer counts, whoever asks. */
const FRESH_MS = 5000;

/** Asks the workflow service whether it is there: over one connection, and at most once in a while. */
export class WorkflowProbe {
  readonly #address: string | undefined;
  #connection: Promise<Connection> | undefined;
  #asked: { at: number; state: Promise<WorkflowState> } | undefined;

  /** @param address of a Temporal server; none is unavailable */
  constructor(address: string | undefined) {
    this.#address = address;
  }

  state(): Promise<WorkflowState> {
    const now = performance.now();
    if (!this.#asked || now - this.#asked.at > FRESH_MS) this.#asked = { at: now, state: this.#ask() };
    return this.#asked.state;
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  async #ask(): Promise<WorkflowState> {
    if (this.#address === undefined) return 'unavailable';
    try {
      const connection = await (this.#connection ??= open(this.#address));
      await connection.workflowService.getSystemInfo({});
      return 'ok';
    } catch {
      return 'unavailable';
    }
  }
}

/**
 * Loaded with the first question: an API that nobody asks does without it. `withDeadline` would do for the deadline, but it
 * needs an AsyncLocalStorage, and from the first use of one on each promise of the process costs Node a call more.
 */
async function open(address: string): Promise<Connection> {
  const client = await import('@temporalio/client');
  return client.Connection.lazy({
    address,
    connectTimeout: TIMEOUT_MS,
    interceptors: [withinTimeout],
    channelArgs: { 'grpc.max_reconnect_backoff_ms': 2000 },
  });
}

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

const withinTimeout: Interceptor = (options, nextCall) =>
  nextCall({ ...options, deadline: Date.now() + TIMEOUT_MS }) as ReturnType<Interceptor>;
