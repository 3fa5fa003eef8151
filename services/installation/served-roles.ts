import { WORKER_ROLES, type WorkerRole } from '../../core/settings/worker-roles.ts';
import type { ServedRoleRepository } from '../../repositories/installation/served-role.repository.ts';

/** Pause between two reports of a worker. */
export const REPORT_EVERY_MS = 10_000;
/** Age at which a report counts no more: a worker has then missed two reports. */
const SILENT_SECONDS = 30;

/** Knows which roles a running worker serves. */
export class ServedRoles {
  readonly #repository: Pick<ServedRoleRepository, 'report' | 'listSeenWithin'>;

  constructor(repository: Pick<ServedRoleRepository, 'report' | 'listSeenWithin'>) {
    this.#repository = repository;
  }

  /** Records that this worker serves some roles. */
  report(roles: ReadonlySet<WorkerRole>): Promise<void> {
    return this.#repository.report(roles);
  }

  /** Lists the roles that no worker has reported lately, so that their work waits. */
  async listUnserved(): Promise<WorkerRole[]> {
    const served = await this.#repository.listSeenWithin(SILENT_SECONDS);
    return WORKER_ROLES.filter((role) => !served.includes(role));
  }
}
