import { DocumentFailedError, TimeoutError } from '../../errors.ts';
import type { DocumentRead } from '../../generated/models.ts';
import { Unfinished, type Context } from '../command.ts';
import { parseCount } from '../option-values.ts';
import { oneLine } from '../safe-text.ts';
import { ProgressLine } from './progress-line.ts';
import { formatProgress } from './progress-text.ts';

/**
 * Waits until a document is indexed, and shows the progress of indexing.
 * @throws Unfinished on a timeout or Ctrl-C; its message says how to continue
 */
export async function waitForIndexing(
  context: Context,
  botId: string,
  documentId: string,
): Promise<DocumentRead> {
  const { client, isJson } = context;
  const signal = context.onInterrupt();
  const line = new ProgressLine(context);
  try {
    const document = await client.waitForDocument(botId, documentId, {
      timeoutMs: readTimeoutMs(context),
      signal,
      onProgress: (status) => (isJson ? undefined : line.show(formatProgress(status))),
    });
    line.end();
    // An indexed document has an error message if the crawl of its website skipped pages.
    if (document.error_message !== null && !isJson) context.err(`${oneLine(document.error_message)}\n`);
    return document;
  } catch (error) {
    line.end();
    throw explainWaiting(
      error,
      signal,
      `To wait again: parley knowledge status ${botId} ${documentId} --wait`,
    );
  }
}

/**
 * Waits until documents are indexed or have failed, and returns them. Writes why a document has failed.
 * @param names names of the documents by id, for messages
 * @throws Unfinished on a timeout or Ctrl-C; its message says how to continue
 */
export async function waitForDocuments(
  context: Context,
  botId: string,
  documents: readonly Pick<DocumentRead, 'id'>[],
  names: ReadonlyMap<string, string>,
): Promise<DocumentRead[]> {
  const { client, isJson, err } = context;
  const signal = context.onInterrupt();
  const end = Date.now() + readTimeoutMs(context);
  const line = new ProgressLine(context);
  const finished: DocumentRead[] = [];
  const show = (text: string) => (isJson ? undefined : line.show(text));
  const count = documents.length;
  try {
    for (const { id } of documents) {
      const name = names.get(id) ?? id;
      try {
        const document = await client.waitForDocument(botId, id, {
          timeoutMs: Math.max(0, end - Date.now()),
          signal,
          onProgress: (status) => show(`${finished.length} of ${count}, ${name}: ${formatProgress(status)}`),
        });
        finished.push(document);
      } catch (error) {
        if (!(error instanceof DocumentFailedError)) throw error;
        finished.push(await client.knowledge.get(botId, id));
        line.end();
        err(`${oneLine(`${name}: ${error.message}`)}\n`);
      }
    }
    show(`${finished.filter(({ status }) => status === 'indexed').length} of ${count} indexed`);
    line.end();
    return finished;
  } catch (error) {
    line.end();
    throw explainWaiting(error, signal, `To check again: parley knowledge list ${botId}`);
  }
}

function readTimeoutMs({ values }: Context): number {
  return parseCount('--timeout', String(values['timeout'])) * 1000;
}

/**
 * Returns an Unfinished error for a timeout or Ctrl-C, and other errors unchanged.
 * @param next advice for the message
 */
function explainWaiting(error: unknown, signal: AbortSignal, next: string): unknown {
  if (!(signal.aborted || error instanceof TimeoutError)) return error;
  return new Unfinished(`Indexing continues. ${next}`, signal.aborted ? 'interrupted' : 'late');
}
