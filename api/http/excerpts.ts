import type { IncomingMessage } from 'node:http';
import type { Excerpt } from '../../services/conversations/conversation-service.ts';

/** Keyed by requests of this process: no header or parameter of a client leads here. */
const asked = new WeakMap<IncomingMessage, Excerpt>();

/** Has the response carry excerpts, for a request that is made within this process. */
export function askForExcerpts(request: IncomingMessage, excerpt: Excerpt): void {
  asked.set(request, excerpt);
}

/** Undefined for a request that gets whole texts, as each request of a client does. */
export function excerptAskedBy(request: IncomingMessage): Excerpt | undefined {
  return asked.get(request);
}
