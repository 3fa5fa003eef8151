import type { IncomingMessage } from 'node:http';
import type { ExcerptLimits } from '../../services/conversations/conversation-service.ts';

/**
 * Requests whose responses contain excerpts of messages. Only this process can add requests here; clients
 * have no header or parameter for excerpts.
 */
const requestedExcerpts = new WeakMap<IncomingMessage, ExcerptLimits>();

/**
 * Requests excerpts instead of whole message texts in the response. For requests that this process creates
 * itself, such as for MCP tools.
 */
export function requestExcerpts(request: IncomingMessage, excerpt: ExcerptLimits): void {
  requestedExcerpts.set(request, excerpt);
}

/**
 * Returns the length limits of the message excerpts that a request asks for; undefined for whole texts, which
 * external clients always get.
 */
export function findRequestedExcerpt(request: IncomingMessage): ExcerptLimits | undefined {
  return requestedExcerpts.get(request);
}
