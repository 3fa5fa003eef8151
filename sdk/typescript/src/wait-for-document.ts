import { callback, checkOptions, duration, signal as signalRule, type Rules } from './check-options.ts';
import { formatMs } from './deadline.ts';
import { describeValue } from './describe-type.ts';
import { DocumentFailedError, InvalidArgumentError, TimeoutError } from './errors.ts';
import type { DocumentRead, DocumentStatusRead } from './generated/models.ts';
import type { KnowledgeResource } from './generated/resources.ts';
import { pause } from './retries.ts';

export interface WaitOptions {
  /** Maximum milliseconds to wait until the document is indexed. Default: 10 minutes. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with each status of the document that was read. */
  onProgress?: ((status: DocumentStatusRead) => void) | undefined;
}

const rules: Record<keyof WaitOptions, Rules[string]> = {
  timeoutMs: duration,
  signal: signalRule,
  onProgress: callback,
};
const DEFAULT_TIMEOUT_MS = 600_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;

export async function waitForDocument(
  knowledge: Pick<KnowledgeResource, 'get' | 'getStatus'>,
  { botId, documentId }: { botId: string; documentId: string },
  options: WaitOptions,
): Promise<DocumentRead> {
  for (const [name, value] of Object.entries({ botId, documentId })) requireId(name, value);
  checkOptions('waitForDocument', options, rules);
  const { signal, onProgress } = options;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const end = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const status = await knowledge.getStatus(botId, documentId, { signal });
    onProgress?.(status);
    if (status.status === 'failed') throw new DocumentFailedError(documentId, status.error_message);
    if (status.status === 'indexed') return knowledge.get(botId, documentId, { signal });
    if (Date.now() + pauseMs > end)
      throw new TimeoutError(
        `The document ${documentId} is still ${status.status} after ${formatMs(timeoutMs)} (timeoutMs). Indexing continues.`,
      );
    await pause(pauseMs, signal);
  }
}

/** @throws InvalidArgumentError that names the arguments in their order */
function requireId(name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return;
  const message = `${name} of waitForDocument is ${describeValue(value)}. Pass botId, then documentId.`;
  throw new InvalidArgumentError(message, name);
}
