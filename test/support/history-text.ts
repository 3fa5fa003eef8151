import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowHandle } from '@temporalio/client';

/** Reads a workflow's history with its inputs and results decoded, as Temporal's UI shows them. */
export async function readHistoryText(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<string> {
  const history = historyToJSON(await handle.fetchHistory());
  return history.replaceAll(/"data": ?"([\w+/=]+)"/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString(),
  );
}
