import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { FlowGraph, FlowNode } from '../../core/flows/flow-graph.ts';
import type { RequestData, RequestHeader } from '../../core/flows/nodes/http-request.ts';

/**
 * Context to which the encryption binds the secret of a request's header. The secret cannot be decrypted for
 * another flow, server or header name.
 */
interface HeaderContext {
  flowId: string;
  origin: string;
  name: string;
}

function buildHeaderContext({ flowId, origin, name }: HeaderContext): string {
  return `flow_revisions.header:${flowId}:${origin}:${name.toLowerCase()}`;
}

/**
 * Returns the origin of the URL to which a flow sends a request. Placeholders are not allowed in the origin.
 */
function parseTemplateOrigin(url: string): string {
  return new URL(url.replaceAll(/\{\{[^{}]*\}\}/g, '0')).origin;
}

/**
 * Returns the flow's graph to store, with encrypted header secrets. A secret that the caller omitted is
 * copied from the current graph, if the node still sends it to the same server.
 */
export function sealHeaderSecrets(
  graph: FlowGraph,
  current: FlowGraph | null,
  flowId: string,
  keyring: Keyring,
): FlowGraph {
  const storedSecrets = new Map(current ? listSecrets(current) : []);
  return mapHeaders(graph, (node, { url }, header) => {
    const { name, value, secret } = header;
    if (secret !== true) return { name, ...(typeof value === 'string' && { value }) };
    const origin = parseTemplateOrigin(url);
    if (typeof value === 'string' && value !== '')
      return { name, secret, sealed: keyring.seal(value, buildHeaderContext({ flowId, origin, name })) };
    const sealed = value === undefined ? storedSecrets.get(toSecretKey(node, origin, name)) : undefined;
    return { name, secret, ...(sealed !== undefined && { sealed }) };
  });
}

/**
 * Decrypts the secret of a header in a flow's request.
 * @throws Error if the secret was encrypted for another flow, server or header name
 */
export function decryptHeaderSecret(
  keyring: Keyring,
  { flowId, url, name, sealed }: { flowId: string; url: string; name: string; sealed: string },
): string {
  return keyring.open(sealed, buildHeaderContext({ flowId, origin: parseTemplateOrigin(url), name }));
}

/**
 * Returns a flow's graph for API responses. Replaces each header secret with a flag that says whether it is
 * set.
 */
export function hideSecrets(graph: FlowGraph): FlowGraph {
  return mapHeaders(graph, (_node, _data, { sealed, ...header }) =>
    header.secret === true ? { ...header, has_value: sealed !== undefined } : header,
  );
}

/** Returns a flow's graph for a copy that belongs to another bot, without header secrets. */
export function dropSecrets(graph: FlowGraph): FlowGraph {
  return mapHeaders(graph, (_node, _data, { sealed: _, ...header }) => header);
}

function listSecrets({ nodes }: FlowGraph): [string, string][] {
  return nodes.flatMap((node) => {
    if (node.type !== 'http_request') return [];
    const { url, headers = [] } = getRequestData(node);
    return (headers as RequestHeader[]).flatMap(({ name, sealed }): [string, string][] =>
      sealed === undefined ? [] : [[toSecretKey(node, parseTemplateOrigin(url), name), sealed]],
    );
  });
}

function toSecretKey({ id }: FlowNode, origin: string, name: string): string {
  return `${id} ${origin} ${name.toLowerCase()}`;
}

function getRequestData({ data }: FlowNode): RequestData {
  return data as RequestData;
}

function mapHeaders(
  graph: FlowGraph,
  change: (node: FlowNode, data: RequestData, header: RequestHeader) => RequestHeader,
): FlowGraph {
  const nodes = graph.nodes.map((node) => {
    const data = getRequestData(node);
    if (node.type !== 'http_request' || !data.headers) return node;
    const headers = data.headers.map((header) => change(node, data, header));
    return { ...node, data: { ...node.data, headers } };
  });
  return { ...graph, nodes };
}
