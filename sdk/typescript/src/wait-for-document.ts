import { DocumentFailedError, TimeoutError } from './errors.ts';
import type { DocumentRead, DocumentStatusRead } from './generated/models.ts';
import type { KnowledgeResource } from './generated/resources.ts';
import { pause } from './retries.ts';

export interface WaitOptions {
  /** Default: 10 minutes. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with each status that was read. */
  onProgress?: ((status: DocumentStatusRead) => void) | undefined;
}

const DEFAULT_TIMEOUT_MS = 600_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;

export async function waitForDocument(
  knowledge: Pick<KnowledgeResource, 'get' | 'getStatus'>,
  { botId, documentId }: { botId: string; documentId: string },
  { timeoutMs = DEFAULT_TIMEOUT_MS, signal, onProgress }: WaitOptions,
): Promise<DocumentRead> {
  const end = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const status = await knowledge.getStatus(botId, documentId, { signal });
    onProgress?.(status);
    if (status.status === 'failed') throw new DocumentFailedError(documentId, status.error_message);
    if (status.status === 'indexed') return knowledge.get(botId, documentId, { signal });
    if (Date.now() + pauseMs > end) throw new TimeoutError('The document was not indexed in time.');
    await pause(pauseMs, signal);
  }
}
