import { deleteInBatches } from '../../database/delete-in-batches.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { AlertDay, AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';

const BATCH = 5000;

/** Deletes the alerts, messages and daily counts of deleted alert policies. */
export class AlertPurge {
  /**
   * Deletes the alerts, messages and daily counts of an alert policy in batches.
   * @throws the signal's reason if the signal is aborted
   */
  async purge({ db, orgId }: OrgScope, policyId: string, signal: AbortSignal): Promise<void> {
    const where = 'org_id = $1 AND policy_id = $2';
    for (const entity of [Alert, AlertMessage, AlertDay])
      await deleteInBatches(db, { entity, where, batchSize: BATCH }, [orgId, policyId], signal);
  }
}
