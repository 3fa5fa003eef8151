import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowHandle } from '@temporalio/client';

/** The history of a workflow as people see it in Temporal's UI: what was encoded of inputs and results can be read. */
export async function historyText(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<string> {
  const history = historyToJSON(await handle.fetchHistory());
  return history.replaceAll(/"data": ?"([\w+/=]+)"/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString(),
  );
}
