import { suggestNames } from '../text/nearest-names.ts';

/** Kinds of background work. A worker process serves all of them, or those that PARLEY_WORKER_QUEUES names. */
export const WORKER_ROLES = [
  /** Workflows, their short activities, and the schedules. */
  'default',
  /** Fetching and reading documents, which take most CPU. */
  'ingestion',
  /** Vectors of documents. */
  'embeddings',
  /** Calls of language models outside conversations. */
  'models',
  /** Retries of webhook deliveries. */
  'webhooks',
  /** First attempts of webhook deliveries. */
  'dispatcher',
  /** Events and commands that transactions have written. */
  'outbox',
  'mail',
  'alerts',
  'calendar',
  'billing',
  'archives',
] as const;

export type WorkerRole = (typeof WORKER_ROLES)[number];

/** Reads a list of roles, separated by commas. An empty list stands for all roles. */
export function readWorkerRoles(list: string): ReadonlySet<WorkerRole> {
  const names = splitNames(list);
  const roles = WORKER_ROLES.filter((role) => names.includes(role));
  return new Set(names.length === 0 ? WORKER_ROLES : roles);
}

/** Describes each name in a list that is no role, for the person who set the list. */
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
