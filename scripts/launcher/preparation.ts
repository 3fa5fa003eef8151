import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BootstrapResult } from '../../services/installation/bootstrap.ts';
import { LaunchError } from './launch-error.ts';

/** The result; the stack is set for unexpected problems only. */
export type PreparationReply = { owner: BootstrapResult } | { problem: string; stack?: string };

const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const PROGRAM = fileURLToPath(new URL(`./prepare-workspace.${ENDING}`, import.meta.url));

/**
 * Migrates the database and creates the first workspace in a separate process. The modules it loads, 30 MB, would
 * otherwise stay in the launcher's memory.
 */
export class Preparation {
  readonly #process: ChildProcess;

  /** Starts to load the modules while the database starts. */
  constructor() {
    this.#process = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** @throws LaunchError for an expected problem, Error for any other */
  async run(environment: Record<string, string>): Promise<BootstrapResult> {
    // This event follows all messages, which the exit does not.
    const ended = once(this.#process, 'disconnect').then(() => {
      throw new LaunchError('The preparation of the database ended early.');
    });
    ended.catch(() => {});
    this.#process.send(environment, () => {});
    const [reply] = (await Promise.race([once(this.#process, 'message'), ended])) as [PreparationReply];
    if ('owner' in reply) return reply.owner;
    if (reply.stack === undefined) throw new LaunchError(reply.problem);
    throw Object.assign(new Error(reply.problem), { stack: reply.stack });
  }
}
