import type { Database } from '../../database/database.ts';
import { isOlderThan } from '../../database/times.ts';
import { updateReturning } from '../../database/returning.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';

/** Finds alert policies of all workspaces whose workflow was woken long ago and is not idle yet. */
export class StalledAlertRepository {
  /** Returns alert policies whose workflow has stalled, and postpones their next check. */
  claim(db: Database): Promise<AlertPolicy[]> {
    const where = { wokenAt: isOlderThan(`interval '10 minutes'`) };
    return updateReturning(db.repository(AlertPolicy), where, { wokenAt: () => 'now()' });
  }
}
