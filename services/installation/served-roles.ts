import { WORKER_ROLES, type WorkerRole } from '../../core/settings/worker-roles.ts';
import type { ServedRoleRepository } from '../../repositories/installation/served-role.repository.ts';

/** Pause in milliseconds between two reports in which a worker states the roles that it serves. */
export const REPORT_EVERY_MS = 10_000;
/** Age in seconds at which a worker's report no longer counts: the worker has then missed two reports. */
const SILENT_SECONDS = 30;

/** Records and lists the roles that running workers serve. */
export class ServedRoles {
  readonly #repository: Pick<ServedRoleRepository, 'report' | 'listSeenWithin'>;

  constructor(repository: Pick<ServedRoleRepository, 'report' | 'listSeenWithin'>) {
    this.#repository = repository;
  }

  /** Records the roles that this worker serves. */
  report(roles: ReadonlySet<WorkerRole>): Promise<void> {
    return this.#repository.report(roles);
  }

  /** Lists the roles that no worker has reported lately, and whose work therefore waits. */
  async listUnserved(): Promise<WorkerRole[]> {
    const served = await this.#repository.listSeenWithin(SILENT_SECONDS);
    return WORKER_ROLES.filter((role) => !served.includes(role));
  }
}
