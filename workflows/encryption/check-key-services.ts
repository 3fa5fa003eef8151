import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type {
  CheckedKeyServices,
  KeyCheckActivities,
} from '../../activities/encryption/key-check.activities.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

const { checkSomeKeyServices } = proxyActivities<KeyCheckActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
  summary: 'Check the key services of some workspaces',
});

/**
 * Checks the key services of all workspaces that have their own. Emails owners if a service has failed or
 * recovered. Returns the number of failing services.
 */
export async function checkKeyServices(): Promise<number> {
  let [checkedCount, failing] = [0, 0];
  let after: string | null = null;
  do {
    const some: CheckedKeyServices = await checkSomeKeyServices({ after });
    checkedCount += some.asked;
    failing += some.failing;
    setCurrentDetails(
      formatDetails('Key services', [
        `${pluralize(checkedCount, 'workspace')} checked`,
        `${failing} failing`,
      ]),
    );
    after = some.next;
  } while (after !== null);
  return failing;
}
