import type { Database } from '../../database/database.ts';
import { isOlderThan } from '../../database/times.ts';
import { updateReturning } from '../../database/returning.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';

/** Policies whose workflow should have come to rest, of all workspaces. */
export class StalledAlertRepository {
  /** Returns them, each once in a while. */
  claim(db: Database): Promise<AlertPolicy[]> {
    const where = { wokenAt: isOlderThan(`interval '10 minutes'`) };
    return updateReturning(db.repository(AlertPolicy), where, { wokenAt: () => 'now()' });
  }
}
