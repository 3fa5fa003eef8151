import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BootstrapResult } from '../../services/installation/bootstrap.ts';
import { LaunchError } from './launch-error.ts';

/** Result that the child process sends after preparing the database. The stack is only set for unexpected problems. */
export type PreparationReply = { owner: BootstrapResult } | { problem: string; stack?: string };

const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const PROGRAM = fileURLToPath(new URL(`./prepare-workspace.${ENDING}`, import.meta.url));

/**
 * Migrates the database and creates the first workspace in a child process. In the launcher, the modules for
 * this work would take 30 MB of memory for as long as the launcher runs.
 */
export class Preparation {
  readonly #process: ChildProcess;

  /** Starts the child process, which loads its modules while the database starts. */
  constructor() {
    this.#process = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /**
   * Migrates the database and creates the first workspace.
   * @throws LaunchError for an expected problem, Error for any other
   */
  async run(environment: Record<string, string>): Promise<BootstrapResult> {
    // Wait for the event `disconnect`, which follows all messages of the child process; `exit` may precede
    // messages.
    const ended = once(this.#process, 'disconnect').then(() => {
      throw new LaunchError('The process that prepares the database ended without a result.');
    });
    ended.catch(() => {});
    this.#process.send(environment, () => {});
    const [reply] = (await Promise.race([once(this.#process, 'message'), ended])) as [PreparationReply];
    if ('owner' in reply) return reply.owner;
    if (reply.stack === undefined) throw new LaunchError(reply.problem);
    throw Object.assign(new Error(reply.problem), { stack: reply.stack });
  }
}
