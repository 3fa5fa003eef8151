import { TimeoutError } from '../../errors.ts';
import type { DocumentRead } from '../../generated/models.ts';
import { Unfinished, type Context } from '../command.ts';
import { parseCount } from '../option-values.ts';
import { oneLine } from '../safe-text.ts';
import { ProgressLine } from './progress-line.ts';
import { formatProgress } from './progress-text.ts';

/**
 * Waits until a document is indexed, and shows the progress.
 * @throws Unfinished on a timeout or Ctrl-C; its message says how to continue
 */
export async function waitForIndexing(
  context: Context,
  botId: string,
  documentId: string,
): Promise<DocumentRead> {
  const { client, values, isJson } = context;
  const signal = context.onInterrupt();
  const timeoutMs = parseCount('--timeout', String(values['timeout'])) * 1000;
  const line = new ProgressLine(context);
  try {
    const document = await client.waitForDocument(botId, documentId, {
      timeoutMs,
      signal,
      onProgress: (status) => (isJson ? undefined : line.show(formatProgress(status))),
    });
    line.end();
    // Pages that a crawl skipped.
    if (document.error_message !== null && !isJson) context.err(`${oneLine(document.error_message)}\n`);
    return document;
  } catch (error) {
    line.end();
    if (!(signal.aborted || error instanceof TimeoutError)) throw error;
    throw new Unfinished(
      `The indexing continues. To wait again: parley knowledge status ${botId} ${documentId} --wait`,
      signal.aborted ? 'interrupted' : 'late',
    );
  }
}
