import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { PurgeActivities } from '../../activities/bots/purge.activities.ts';
import type { DeleteFileInput } from '../../core/workflows/commands.ts';

const { removeFile } = proxyActivities<PurgeActivities>({
  startToCloseTimeout: '2m',
  retry: { maximumInterval: '1m' },
});

/** Removes a stored file to which no database row refers. */
export async function deleteFile(input: DeleteFileInput): Promise<void> {
  await removeFile(input);
  setCurrentDetails('The stored file is removed.');
}
