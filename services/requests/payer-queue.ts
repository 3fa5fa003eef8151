import { FairQueue, type FairQueueOptions, type SlotOptions } from '../../core/concurrency/fair-queue.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';

/** Maximum number of workspaces whose payer is cached, which limits the cache to a few megabytes. */
const MAX_KNOWN = 10_000;

const orgs = new OrgRepository();
/**
 * Cached lookups of workspaces' payers, by workspace id. The payer of a workspace never changes, so no entry
 * expires.
 */
const payerLookups = new Map<string, Promise<string>>();

/**
 * Returns the id of the workspace that pays for a workspace; for a purged workspace, its own id. Callers
 * share slots among payers, so an account gains no slots by creating more workspaces. Concurrent calls for
 * one workspace resolve in the order in which they were made.
 */
export function findPayerId(scope: OrgScope): Promise<string> {
  const { orgId } = scope;
  const cached = payerLookups.get(orgId);
  if (cached) return cached;
  if (payerLookups.size >= MAX_KNOWN) payerLookups.clear();
  const lookup = orgs.findPayerId(scope).then((payerId) => payerId ?? orgId);
  payerLookups.set(orgId, lookup);
  lookup.catch(() => payerLookups.delete(orgId));
  return lookup;
}

/** Queue in which payers share the slots and the waiting list fairly. All workspaces of a payer have one share. */
export class PayerQueue {
  readonly #queue: FairQueue;

  constructor(options: FairQueueOptions) {
    this.#queue = new FairQueue(options);
  }

  /**
   * Runs a task when the workspace's payer gets a slot. Returns `out_of_turn` without running the task if the
   * payer's part of the queue is full, or if no slot was free in time. Also returns `out_of_turn` if the task
   * stopped because its time in the slot had ended.
   * @throws the signal's reason if the signal aborts while the task waits
   */
  async run<T>(
    scope: OrgScope,
    work: (turn: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    options?: SlotOptions,
  ): Promise<T | 'out_of_turn'> {
    return this.#queue.run(await findPayerId(scope), work, signal, options);
  }
}
