import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import type { RequestData, RequestHeader } from '../../core/flows/nodes/http-request.ts';
import { fingerprintAssigned, readNames, type NamedBot } from './assigned-values.ts';

/** A request that conversations can send. */
export interface SentRequest {
  /** The template. */
  url: string;
  /** Equal for requests that go to the same account with the same content. */
  fingerprint: string;
}

/**
 * Lists the requests of stored graphs that conversations go through. Their fingerprints cover everything that may name a
 * receiver: one server serves many accounts, which a path, a header or a field of the body tells apart. A secret that is sent
 * again counts as another one. A template is no more than the values in it, so it counts with all that graphs assign to these.
 * @param bot whose conversations the graphs lead
 */
export function sentRequests(graphs: readonly FlowGraph[], bot: NamedBot): SentRequest[] {
  const requests = graphs.flatMap(({ nodes }) =>
    nodes.flatMap(({ type, data }) => (type === 'http_request' ? [toTemplates(data as RequestData)] : [])),
  );
  const names = new Set(requests.flatMap((request) => request.names));
  const assigned = fingerprintAssigned(graphs, [...names], bot);
  return requests.map(({ url, parts, names: own }) => ({
    url,
    fingerprint: JSON.stringify(own.length === 0 ? parts : [...parts, assigned]),
  }));
}

/** Returns the requests that were not sent before, or went elsewhere. */
export function findNewRequests(former: readonly SentRequest[], now: readonly SentRequest[]): SentRequest[] {
  const known = new Set(former.map(({ fingerprint }) => fingerprint));
  return now.filter(({ fingerprint }) => !known.has(fingerprint));
}

function toTemplates({ url, headers = [], body = '' }: RequestData) {
  const named = (headers as RequestHeader[])
    .map(({ name, value = null, sealed = '' }) => JSON.stringify([name.toLowerCase(), value, sealed]))
    .toSorted();
  const templates = [url, body, ...headers.map(({ value }) => value ?? '')];
  return { url, parts: [url, named, body] as unknown[], names: templates.flatMap(readNames) };
}
