import { existsSync } from 'node:fs';
import type { FlowRead } from '../../generated/models.ts';
import { UsageError } from '../command.ts';
import { readText } from '../files.ts';
import { parseJsonText } from '../option-values.ts';
import { escapeUnsafe } from '../safe-text.ts';
import { isObject } from '../../describe-type.ts';
import { orderKeys } from './key-order.ts';

/** Value of the key `format` in every flow file, also in exports of the console. */
const FORMAT = 'parley-flow';

/** A flow of a bot as stored in a file. A flow that was never saved on the server has no id. */
export interface FlowFile {
  id?: string;
  bot_id?: string;
  /** Time of the saved flow on which the file is based. */
  updated_at?: string;
  name: string;
  description: string | null;
  trigger: string | null;
  graph: Record<string, unknown>;
}

/**
 * Serializes a flow for a file. Values of secret headers are missing, since the API never returns them.
 * @param path file to replace: if the file is a flow, its keys keep their order, so that a comparison shows
 *   only changes
 */
export function formatFlowFile(flow: FlowRead, path?: string): string {
  const { id, bot_id, updated_at, name, description, trigger, graph } = flow;
  const file = {
    format: FORMAT,
    id,
    bot_id,
    updated_at,
    name,
    description,
    trigger,
    graph: removeSecretMarks(graph),
  };
  return `${escapeUnsafe(JSON.stringify(orderKeys(file, readModel(path)), null, 2))}\n`;
}

/**
 * Reads a flow from a file: a pulled file, an export of the console, or only a graph.
 * @throws UsageError for any other content
 */
export function readFlowFile(path: string): FlowFile {
  const content = parseJsonText(readText(path), path);
  const graph = isObject(content) && isObject(content['graph']) ? content['graph'] : content;
  if (!isObject(graph) || !Array.isArray(graph['nodes']) || !Array.isArray(graph['edges']))
    throw new UsageError(`${path} is not a flow: a flow has a graph with the lists "nodes" and "edges".`);
  const file = graph === content ? {} : (content as Record<string, unknown>);
  const readField = (name: string) => (typeof file[name] === 'string' ? file[name] : undefined);
  const [id, botId, savedAt] = ['id', 'bot_id', 'updated_at'].map(readField);
  return {
    ...(id !== undefined && { id }),
    ...(botId !== undefined && { bot_id: botId }),
    ...(savedAt !== undefined && { updated_at: savedAt }),
    name: readField('name') ?? 'Flow',
    description: readField('description') || null,
    trigger: readField('trigger') || null,
    graph,
  };
}

/**
 * Reads the JSON of an existing flow file, whose key order the new file keeps. Returns undefined if no such
 * file exists.
 */
function readModel(path: string | undefined): unknown {
  if (path === undefined || !existsSync(path)) return undefined;
  try {
    const content = parseJsonText(readText(path), path);
    return isObject(content) && !isObject(content['graph']) ? { graph: content } : content;
  } catch {
    return undefined;
  }
}

/** Removes `has_value`, which responses contain in place of a secret header's value. */
function removeSecretMarks(graph: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(graph, (name, value: unknown) => (name === 'has_value' ? undefined : value));
  return JSON.parse(text) as Record<string, unknown>;
}
