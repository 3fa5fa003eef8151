import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bootstrap } from '../../services/installation/bootstrap.ts';
import { LaunchError } from './launch-error.ts';

/** A problem that nobody expected has a stack. */
export type PreparationReply = { owner: Bootstrap } | { problem: string; stack?: string };

const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const PROGRAM = fileURLToPath(new URL(`./prepare-workspace.${ENDING}`, import.meta.url));

/**
 * Migrates the database and makes the first workspace, in a process of its own: what that takes to load, 30 MB, the launcher would
 * keep for as long as Parley runs.
 */
export class Preparation {
  readonly #process: ChildProcess;

  /** Begins to load it, while the database comes up. */
  constructor() {
    this.#process = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** @throws LaunchError, or an Error that nobody expected */
  async run(environment: Record<string, string>): Promise<Bootstrap> {
    // Unlike its exit, this comes after all that it has sent.
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
