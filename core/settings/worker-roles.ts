import { suggestNames } from '../text/nearest-names.ts';

/** Kinds of background work. A worker process serves all of them, or those that PARLEY_WORKER_QUEUES names. */
export const WORKER_ROLES = [
  /** Role of workers that run workflows, their short activities, and the schedules. */
  'default',
  /** Role of workers that fetch and read documents, which takes most CPU. */
  'ingestion',
  /** Role of workers that compute the embedding vectors of documents. */
  'embeddings',
  /** Role of workers that call language models outside conversations. */
  'models',
  /** Role of workers that retry failed webhook deliveries. */
  'webhooks',
  /** Role of workers that make the first attempt of each webhook delivery. */
  'dispatcher',
  /** Role of workers that pass on the events and commands that transactions have written to the outbox. */
  'outbox',
  'mail',
  'alerts',
  'calendar',
  'billing',
  'archives',
] as const;

export type WorkerRole = (typeof WORKER_ROLES)[number];

/** Reads a list of worker roles, separated by commas. An empty list stands for all roles. */
export function readWorkerRoles(list: string): ReadonlySet<WorkerRole> {
  const names = splitNames(list);
  const roles = WORKER_ROLES.filter((role) => names.includes(role));
  return new Set(names.length === 0 ? WORKER_ROLES : roles);
}

/** Returns an error for each name in a list that is not a worker role, for the person who set the list. */
export function listRoleProblems(list: string): string[] {
  return splitNames(list)
    .filter((name) => !WORKER_ROLES.some((role) => role === name))
    .map(
      (name) =>
        `PARLEY_WORKER_QUEUES contains "${name}"${suggestNames(name, WORKER_ROLES)}; a worker can serve ${WORKER_ROLES.join(', ')}.`,
    );
}

function splitNames(list: string): string[] {
  return list.split(',').flatMap((name) => name.trim() || []);
}
