import { readFileSync } from 'node:fs';
import type { FlowRead } from '../../generated/models.ts';
import { UsageError } from '../command.ts';
import { parsedJson } from '../option-values.ts';
import { escapeUnsafe } from '../safe-text.ts';

/** What a file of a flow says first; files that the console exports say the same. */
const FORMAT = 'parley-flow';

/** A flow as a file has it: one that was never saved has no id. */
export interface FlowFile {
  id?: string;
  bot_id?: string;
  /** When it was saved that the file was made from. */
  updated_at?: string;
  name: string;
  description: string | null;
  trigger: string | null;
  graph: Record<string, unknown>;
}

/** Without the values of secret headers, which no answer has. */
export function flowFileText(flow: FlowRead): string {
  const { id, bot_id, updated_at, name, description, trigger, graph } = flow;
  const file = {
    format: FORMAT,
    id,
    bot_id,
    updated_at,
    name,
    description,
    trigger,
    graph: withoutMarks(graph),
  };
  return `${escapeUnsafe(JSON.stringify(file, null, 2))}\n`;
}

/**
 * A file that was pulled, one that the console has exported, or a graph alone.
 * @throws UsageError for anything else
 */
export function readFlowFile(path: string): FlowFile {
  const read = parsedJson(readFileSync(path, 'utf8'), path);
  const graph = isObject(read) && isObject(read['graph']) ? read['graph'] : read;
  if (!isObject(graph) || !Array.isArray(graph['nodes']) || !Array.isArray(graph['edges']))
    throw new UsageError(`${path} is no flow: it has to have a graph with the lists "nodes" and "edges".`);
  const file = graph === read ? {} : (read as Record<string, unknown>);
  const textOf = (name: string) => (typeof file[name] === 'string' ? file[name] : undefined);
  const [id, botId, savedAt] = ['id', 'bot_id', 'updated_at'].map(textOf);
  return {
    ...(id !== undefined && { id }),
    ...(botId !== undefined && { bot_id: botId }),
    ...(savedAt !== undefined && { updated_at: savedAt }),
    name: textOf('name') ?? 'Flow',
    description: textOf('description') || null,
    trigger: textOf('trigger') || null,
    graph,
  };
}

/** Of a secret header an answer says only that it has a value. */
function withoutMarks(graph: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(graph, (name, value: unknown) => (name === 'has_value' ? undefined : value));
  return JSON.parse(text) as Record<string, unknown>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
