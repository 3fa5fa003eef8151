import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import type { RequestData, RequestHeader } from '../../core/flows/nodes/http-request.ts';
import { fingerprintAssignments, readNames, type TemplateBot } from './assigned-values.ts';

/** An HTTP request that flows may send in conversations. */
export interface SentRequest {
  /** URL template of the request. */
  url: string;
  /** Digest of the request, equal for requests that send the same content to the same account. */
  fingerprint: string;
}

/**
 * Lists the HTTP requests that flows send. A fingerprint covers path, headers and body, since one server may
 * host many accounts. It also covers all assignments on which the request's values depend. A secret counts as
 * changed whenever it is encrypted again.
 * @param bot the bot that runs the flows
 */
export function collectSentRequests(graphs: readonly FlowGraph[], bot: TemplateBot): SentRequest[] {
  const requests = graphs.flatMap(({ nodes }) =>
    nodes.flatMap(({ type, data }) => (type === 'http_request' ? [toTemplates(data as RequestData)] : [])),
  );
  const names = new Set(requests.flatMap((request) => request.names));
  const assigned = fingerprintAssignments(graphs, [...names], bot);
  return requests.map(({ url, parts, names: own }) => ({
    url,
    fingerprint: JSON.stringify(own.length === 0 ? parts : [...parts, assigned]),
  }));
}

/** Returns the requests that are new, or whose target or content has changed. */
export function findNewRequests(
  previous: readonly SentRequest[],
  now: readonly SentRequest[],
): SentRequest[] {
  const previousFingerprints = new Set(previous.map(({ fingerprint }) => fingerprint));
  return now.filter(({ fingerprint }) => !previousFingerprints.has(fingerprint));
}

function toTemplates({ url, headers = [], body = '' }: RequestData) {
  const headerTexts = (headers as RequestHeader[])
    .map(({ name, value = null, sealed = '' }) => JSON.stringify([name.toLowerCase(), value, sealed]))
    .toSorted();
  const templates = [url, body, ...headers.map(({ value }) => value ?? '')];
  return { url, parts: [url, headerTexts, body] as unknown[], names: templates.flatMap(readNames) };
}
