import type { IncomingMessage } from 'node:http';
import type { Excerpt } from '../../services/conversations/conversation-service.ts';

/** Keyed by requests of this process; no header or parameter of a client affects it. */
const asked = new WeakMap<IncomingMessage, Excerpt>();

/** Marks a request of this process, such as an MCP tool, so that its response has excerpts instead of whole texts. */
export function askForExcerpts(request: IncomingMessage, excerpt: Excerpt): void {
  asked.set(request, excerpt);
}

/** Returns the excerpt of a request; undefined for whole texts, as for each request of a client. */
export function excerptAskedBy(request: IncomingMessage): Excerpt | undefined {
  return asked.get(request);
}
