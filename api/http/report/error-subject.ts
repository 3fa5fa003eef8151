import type { AppError, ErrorDetail } from '../../../core/errors/errors.ts';
import { formatFieldPath } from '../../../core/errors/field-errors.ts';
import { Graph } from '../../../core/flows/graph-schema.ts';
import { nodeTypes } from '../../../core/flows/node-types.ts';
import { getCheckedSchema, type Operation } from '../operation.ts';

/** Maximum number of characters in the subject of a logged error. Leaves room for a dozen field names. */
const MAX_SUBJECT_CHARS = 200;

/**
 * Returns what was wrong with a request, for logs: the paths of its wrong fields, or the missing scope or role,
 * or the exceeded limit. Undefined if the error names none.
 * @param fieldNames names from `collectFieldNames`. An asterisk replaces other keys, which callers choose and which
 *   may be personal data.
 */
export function describeErrorSubject(
  { subject, details }: Pick<AppError, 'subject' | 'details'>,
  fieldNames: ReadonlySet<string>,
): string | undefined {
  if (subject !== undefined) return subject;
  if (details.length === 0) return undefined;
  return joinPaths([...new Set(details.map((detail) => describeField(detail, fieldNames)))]);
}

/** Returns the names of all fields and parameters of requests, including fields of flow graphs. */
export function collectFieldNames(operations: readonly Operation[]): ReadonlySet<string> {
  // Names that stand for a whole uploaded file and a whole body in error subjects.
  const names = new Set(['file', 'body']);
  const visited = new Set<object>();
  for (const { params, query, body } of operations)
    for (const schema of [params, query, getCheckedSchema(body)]) addPropertyNames(schema, names, visited);
  for (const schema of [Graph, ...Object.values(nodeTypes).map((type) => type.schema)])
    addPropertyNames(schema, names, visited);
  return names;
}

function addPropertyNames(schema: unknown, names: Set<string>, visited: Set<object>): void {
  if (typeof schema !== 'object' || schema === null || visited.has(schema)) return;
  visited.add(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') for (const name of Object.keys(value as object)) names.add(name);
    if (!KEYWORDS_WITH_VALUES.has(keyword)) addPropertyNames(value, names, visited);
  }
}

/** JSON Schema keywords whose value contains no schema. */
const KEYWORDS_WITH_VALUES: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'examples']);

function describeField({ field, path, in: where }: ErrorDetail, fieldNames: ReadonlySet<string>): string {
  if (where === 'header') return `header ${field}`;
  const mask = (step: string) => (fieldNames.has(step) ? step : '*');
  const shown = path
    ? formatFieldPath(path.map((step) => (typeof step === 'number' ? step : mask(step))))
    : field.replaceAll(/\[\d+\]|[^.[\]()]+/g, (step) => (step.startsWith('[') ? step : mask(step)));
  return where === 'body' ? shown : `${where} ${shown}`;
}

/** Joins as many whole field paths as fit into an error subject; an ellipsis stands for the other paths. */
function joinPaths(paths: readonly string[]): string {
  let joined = '';
  for (const path of paths) {
    const longer = joined === '' ? path : `${joined}, ${path}`;
    if (longer.length > MAX_SUBJECT_CHARS - ', …'.length) return joined === '' ? '…' : `${joined}, …`;
    joined = longer;
  }
  return joined;
}
