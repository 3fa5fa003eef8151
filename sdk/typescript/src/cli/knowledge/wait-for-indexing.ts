import { TimeoutError } from '../../errors.ts';
import type { DocumentRead } from '../../generated/models.ts';
import { Unfinished, type Context } from '../command.ts';
import { countOf } from '../option-values.ts';
import { oneLine } from '../safe-text.ts';
import { ProgressLine } from './progress-line.ts';
import { progressText } from './progress-text.ts';

/**
 * Waits, and tells how far it is.
 * @throws Unfinished, which says how to look later, when the time is up or somebody presses Ctrl-C
 */
export async function waitForIndexing(
  context: Context,
  botId: string,
  documentId: string,
): Promise<DocumentRead> {
  const { client, values, isJson } = context;
  const signal = context.onInterrupt();
  const timeoutMs = countOf('--timeout', String(values['timeout'])) * 1000;
  const line = new ProgressLine(context);
  try {
    const document = await client.waitForDocument(botId, documentId, {
      timeoutMs,
      signal,
      onProgress: (status) => (isJson ? undefined : line.show(progressText(status))),
    });
    line.end();
    // What a crawl has left out.
    if (document.error_message !== null && !isJson) context.err(`${oneLine(document.error_message)}\n`);
    return document;
  } catch (error) {
    line.end();
    if (!(signal.aborted || error instanceof TimeoutError)) throw error;
    throw new Unfinished(
      `The indexing goes on; to look later: parley knowledge status ${botId} ${documentId} --wait`,
      signal.aborted ? 'interrupted' : 'late',
    );
  }
}
