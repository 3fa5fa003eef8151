import type { IncomingMessage } from 'node:http';
import type { ExcerptLimits } from '../../services/conversations/conversation-service.ts';

/**
 * Requests that want excerpts. Only this process can add requests here; clients have no header or parameter
 * for excerpts.
 */
const requestedExcerpts = new WeakMap<IncomingMessage, ExcerptLimits>();

/**
 * Requests excerpts instead of whole texts in the response. For requests that this process creates itself,
 * such as MCP tools.
 */
export function requestExcerpts(request: IncomingMessage, excerpt: ExcerptLimits): void {
  requestedExcerpts.set(request, excerpt);
}

/** Returns the excerpts that a request wants; undefined for whole texts, which all clients get. */
export function findRequestedExcerpt(request: IncomingMessage): ExcerptLimits | undefined {
  return requestedExcerpts.get(request);
}
