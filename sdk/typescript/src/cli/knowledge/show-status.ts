import { writeResult, type Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';
import { formatProgress } from './progress-text.ts';
import { waitForIndexing } from './wait-for-indexing.ts';

export async function showStatus(context: Context): Promise<void> {
  const { client, args, values } = context;
  const [botId = '', documentId = ''] = args;
  if (values['wait'] === true) await waitForIndexing(context, botId, documentId);
  const status = await client.knowledge.getStatus(botId, documentId);
  writeResult(context, status, () =>
    [formatProgress(status), ...(status.error_message === null ? [] : [status.error_message])]
      .map(oneLine)
      .join('\n'),
  );
}
