import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { FlowGraph, FlowNode } from '../../core/flows/flow-graph.ts';
import type { RequestData, RequestHeader } from '../../core/flows/nodes/http-request.ts';

/** Place that a header's secret is sealed for: it cannot be decrypted for another flow, server or header name. */
interface Place {
  flowId: string;
  origin: string;
  name: string;
}

function placeOf({ flowId, origin, name }: Place): string {
  return `flow_revisions.header:${flowId}:${origin}:${name.toLowerCase()}`;
}

/** Returns the origin of a node's requests, which placeholders cannot change. */
function originOf(url: string): string {
  return new URL(url.replaceAll(/\{\{[^{}]*\}\}/g, '0')).origin;
}

/**
 * Returns the graph to store, with sealed secrets. A secret that the caller left out is taken from the current graph if
 * the node still sends it to the same server.
 */
export function withSealedSecrets(
  graph: FlowGraph,
  present: FlowGraph | null,
  flowId: string,
  keyring: Keyring,
): FlowGraph {
  const storedSecrets = new Map(present ? secretsOf(present) : []);
  return withHeaders(graph, (node, { url }, header) => {
    const { name, value, secret } = header;
    if (secret !== true) return { name, ...(typeof value === 'string' && { value }) };
    const origin = originOf(url);
    if (typeof value === 'string' && value !== '')
      return { name, secret, sealed: keyring.seal(value, placeOf({ flowId, origin, name })) };
    const sealed = value === undefined ? storedSecrets.get(keyOf(node, origin, name)) : undefined;
    return { name, secret, ...(sealed !== undefined && { sealed }) };
  });
}

/** Decrypts a secret header. @throws Error if it was sealed for another flow, server or name */
export function openedSecret(
  keyring: Keyring,
  { flowId, url, name, sealed }: { flowId: string; url: string; name: string; sealed: string },
): string {
  return keyring.open(sealed, placeOf({ flowId, origin: originOf(url), name }));
}

/** Returns the graph for callers: instead of a secret, whether it is set. */
export function withoutSecrets(graph: FlowGraph): FlowGraph {
  return withHeaders(graph, (_node, _data, { sealed, ...header }) =>
    header.secret === true ? { ...header, has_value: sealed !== undefined } : header,
  );
}

/** Returns the graph for another bot: without the sealed secrets. */
export function withoutSealed(graph: FlowGraph): FlowGraph {
  return withHeaders(graph, (_node, _data, { sealed: _, ...header }) => header);
}

function secretsOf({ nodes }: FlowGraph): [string, string][] {
  return nodes.flatMap((node) => {
    if (node.type !== 'http_request') return [];
    const { url, headers = [] } = dataOf(node);
    return (headers as RequestHeader[]).flatMap(({ name, sealed }): [string, string][] =>
      sealed === undefined ? [] : [[keyOf(node, originOf(url), name), sealed]],
    );
  });
}

function keyOf({ id }: FlowNode, origin: string, name: string): string {
  return `${id} ${origin} ${name.toLowerCase()}`;
}

function dataOf({ data }: FlowNode): RequestData {
  return data as RequestData;
}

function withHeaders(
  graph: FlowGraph,
  changed: (node: FlowNode, data: RequestData, header: RequestHeader) => RequestHeader,
): FlowGraph {
  const nodes = graph.nodes.map((node) => {
    const data = dataOf(node);
    if (node.type !== 'http_request' || !data.headers) return node;
    const headers = data.headers.map((header) => changed(node, data, header));
    return { ...node, data: { ...node.data, headers } };
  });
  return { ...graph, nodes };
}
