import { ApiError } from '../../client/api-error.ts';
import type { FlowDraft, FlowGraph, NodeData } from './flow-draft.ts';

/** Value of the key `format` in an exported file, which identifies the file as a flow. */
const FORMAT = 'parley-flow';

/** Exports a flow as JSON. Omits the secret values of HTTP headers in the flow's requests. */
export function serializeFlow({ name, description, trigger, graph }: FlowDraft): string {
  const file = { format: FORMAT, name, description, trigger, graph: withoutSecrets(graph) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function getFlowFileName({ name }: FlowDraft): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `${plain || 'flow'}.json`;
}

function withoutSecrets(graph: FlowGraph): FlowGraph {
  const nodes = graph.nodes.map((node) => {
    const { headers } = node.data;
    if (!Array.isArray(headers)) return node;
    const exported = headers.map(({ has_value: _, ...header }: NodeData) => {
      if (header['secret'] !== true) return header;
      const { value: _secret, ...rest } = header;
      return rest;
    });
    return { ...node, data: { ...node.data, headers: exported } };
  });
  return { ...graph, nodes };
}

/**
 * Parses a file that contains an exported flow or only its graph. Checks the structure; the API later
 * validates the data of the flow's steps.
 * @param fallback name of the flow if the file contains none
 * @throws ApiError that says why the file is invalid
 */
export function readFlowFile(text: string, fallback: string): FlowDraft {
  const file = parseFlowJson(text);
  const graph = isObject(file) && isObject(file['graph']) ? file['graph'] : file;
  if (!isGraph(graph))
    throw createUnreadableError(
      "This file isn't a flow. Choose an exported flow, whose graph has “nodes” and “edges”.",
    );
  const { name, description, trigger } = graph === file ? {} : (file as Record<string, unknown>);
  return {
    name: coerceText(name).trim().slice(0, 120) || fallback,
    description: coerceText(description),
    trigger: coerceText(trigger),
    graph,
  };
}

function parseFlowJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw createUnreadableError(`This isn't valid JSON: ${(error as Error).message}.`);
  }
}

export function createUnreadableError(message: string): ApiError {
  return new ApiError(message, { code: 'unreadable' });
}

function isGraph(graph: unknown): graph is FlowGraph {
  return isObject(graph) && Array.isArray(graph['nodes']) && Array.isArray(graph['edges']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function coerceText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
