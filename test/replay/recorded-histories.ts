import { readdir, readFile } from 'node:fs/promises';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';

const folder = new URL('./histories/', import.meta.url);

export interface RecordedHistory {
  workflowId: string;
  history: History;
}

/** Histories of released workflows, exported by `temporal workflow show --output json`. */
export async function readRecordedHistories(): Promise<RecordedHistory[]> {
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => ({
      workflowId: name.replace('.json', ''),
      history: historyFromJSON(JSON.parse(await readFile(new URL(name, folder), 'utf8'))),
    })),
  );
}
