import type { IncomingMessage } from 'node:http';
import type { Excerpt } from '../../services/conversations/conversation-service.ts';

/**
 * Requests that want excerpts. Only this process can add requests here; clients have no header or parameter
 * for excerpts.
 */
const requestedExcerpts = new WeakMap<IncomingMessage, Excerpt>();

/**
 * Requests excerpts instead of whole texts in the response. For requests that this process creates itself,
 * such as MCP tools.
 */
export function requestExcerpts(request: IncomingMessage, excerpt: Excerpt): void {
  requestedExcerpts.set(request, excerpt);
}

/** Returns the excerpts that a request wants; undefined for whole texts, which all clients get. */
export function findRequestedExcerpt(request: IncomingMessage): Excerpt | undefined {
  return requestedExcerpts.get(request);
}
