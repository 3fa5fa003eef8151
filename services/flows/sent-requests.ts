import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import type { RequestData, RequestHeader } from '../../core/flows/nodes/http-request.ts';
import { fingerprintAssignments, readNames, type TemplateBot } from './assigned-values.ts';

/** A request that conversations can send. */
export interface SentRequest {
  /** The template. */
  url: string;
  /** Equal for requests that go to the same account with the same content. */
  fingerprint: string;
}

/**
 * Lists the requests of stored graphs that conversations go through. The fingerprints cover everything that may identify a
 * receiver, since one server has many accounts: path, headers and body. A secret counts as changed whenever it is sealed
 * again. The values of a template matter as well, so the fingerprint covers all assignments to them.
 * @param bot the bot that runs the graphs
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

/** Returns the requests that were not sent before, or that had another target or content. */
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
