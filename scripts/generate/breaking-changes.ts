import { apiDiff, type Diff } from 'api-smart-diff';

type Json = Record<string, unknown>;
type Path = readonly (string | number)[];

/**
 * Returns the changes of an OpenAPI document that break callers written for the older document. Compatible
 * changes are new response members, error codes and enum values, longer lists in responses, and additional
 * accepted input. Every other change needs a new dated API version.
 */
export function findBreakingChanges(older: Json, newer: Json): string[] {
  const [before, after] = removeEqualParts(resolveReferences(older), resolveReferences(newer));
  const changes = apiDiff(before, after).filter((change) => isBreaking(change, before, after));
  return changes.map(({ action, path, description = action }) => `${path.join(' ')}: ${description.trim()}`);
}

/**
 * Removes the parts that are equal in both OpenAPI documents, because the comparison would spend nearly all
 * of its time on them. If many operations share a difference, such as a difference in error responses, only
 * its first occurrence stays.
 */
function removeEqualParts(before: Json, after: Json): [Json, Json] {
  const known = new Set<string>();
  const [previous, current] = [before, after].map((document) => structuredClone(document));
  for (const [path, operations] of Object.entries(previous!['paths'] as Record<string, Json>)) {
    const operationsNow = (current!['paths'] as Record<string, Json>)[path] ?? {};
    for (const [method, operation] of Object.entries(operations)) {
      const responses = (each: unknown) => ((each ?? {}) as Json)['responses'] as Json | undefined;
      removeEqualMembers(responses(operation) ?? {}, responses(operationsNow[method]) ?? {}, known);
    }
    removeEqualMembers(operations, operationsNow, new Set());
  }
  removeEqualMembers(previous!['paths'] as Json, current!['paths'] as Json, new Set());
  return [previous!, current!];
}

/** Removes members that are equal in both objects, and members with a difference that an earlier call has seen. */
function removeEqualMembers(older: Json, newer: Json, known: Set<string>): void {
  for (const key of Object.keys(older).filter((name) => name in newer)) {
    const [before, after] = [JSON.stringify(older[key]), JSON.stringify(newer[key])];
    const difference = `${key} ${before} ${after}`;
    if (before === after || known.has(difference)) {
      delete older[key];
      delete newer[key];
    }
    known.add(difference);
  }
}

function isBreaking(change: Diff, before: Json, after: Json): boolean {
  const { path, action } = change;
  const key = path.at(-1);
  const container = path.at(-2);
  const isAnswer = path[3] === 'responses';
  if (path[path.indexOf('content') + 2] === 'example') return false;
  if (container === 'properties') return action === 'remove';
  if (container === 'securitySchemes') return action === 'remove';
  if (container === 'enum') return isAnswer ? action === 'remove' : narrowsEnum(change, before, after);
  if (path[3] === 'security') return losesCredential(path.slice(0, 4), before, after);
  if (key === 'operationId') return true;
  // Allow a longer list or another default in a response: a list grows with the values that its items may
  // have.
  if ((key === 'default' || key === 'maxItems') && isAnswer) return false;
  if (key === 'contentType' && !isAnswer) return losesMediaType(change);
  if (key === 'additionalProperties') return !isAnswer && change.after === false;
  if (key !== 'type') return change.type === 'breaking';
  const [olderTypes, newerTypes] = [before, after].map((document) => readTypes(document, path.slice(0, -1)));
  return isAnswer ? !isWithin(newerTypes!, olderTypes!) : !isWithin(olderTypes!, newerTypes!);
}

/** True if a credential that an API operation accepted before is no longer sufficient. */
function losesCredential(path: Path, before: Json, after: Json): boolean {
  const [older, newer] = [before, after].map((document) => {
    const credentials = (readPath(document, path) ?? []) as Json[];
    return credentials.length === 0 ? ['{}'] : credentials.map((each) => JSON.stringify(each));
  });
  return !older!.every((credential) => newer!.includes(credential));
}

/** True if an upload in the API accepts fewer media types than before. */
function losesMediaType({ before, after }: Diff): boolean {
  const [older, newer] = [before, after].map((types: unknown) => String(types).split(', '));
  return !older!.every((type) => newer!.includes(type));
}

/** True if an enum in a request lost a value, or if an enum was added to an unrestricted value. */
function narrowsEnum({ action, path }: Diff, before: Json, after: Json): boolean {
  const values = readPath(action === 'remove' ? after : before, path.slice(0, -1)) as unknown[] | undefined;
  const isRestricted = values !== undefined && values.length > 0;
  return action === 'remove' ? isRestricted : !isRestricted;
}

function readTypes(document: Json, path: Path): Set<unknown> {
  const type = (readPath(document, path) as Json | undefined)?.['type'];
  const types = new Set([type].flat());
  return types.has('number') ? types.add('integer') : types;
}

/**
 * True if the wide set of JSON Schema types includes all narrow types. The type `undefined` stands for a
 * schema without a type, which accepts anything.
 */
function isWithin(narrow: Set<unknown>, wide: Set<unknown>): boolean {
  return wide.has(undefined) || [...narrow].every((type) => wide.has(type));
}

function readPath(document: Json, path: Path): unknown {
  return path.reduce<unknown>((node, key) => (node as Json | undefined)?.[key], document);
}

/**
 * Represents each event of a stream as an optional property of an object, so that new events count as
 * compatible: callers ignore unknown events.
 */
function toProperties({ anyOf = [], ...schema }: Json): Json {
  const kinds = (anyOf as Json[]).map(({ title, ...kind }) => [kind['x-event'] ?? title, kind]);
  return { ...schema, type: 'object', properties: Object.fromEntries(kinds) };
}

/** Replaces references in an OpenAPI document by their targets. Replaces streams by a schema of their events. */
function resolveReferences(document: Json): Json {
  const resolve = (node: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((item) => resolve(item, within));
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, 'x-itemSchema': events, 'x-default': requestDefault, ...rest } = node as Json;
    if (typeof $ref === 'string') {
      if (within.includes($ref)) return { $ref };
      return resolve(readPath(document, $ref.slice(2).split('/')), [...within, $ref]);
    }
    const entries = Object.entries(rest).map(([key, value]) => [key, resolve(value, within)]);
    if (requestDefault !== undefined) entries.push(['default', requestDefault]);
    if (events !== undefined) entries.push(['schema', toProperties(resolve(events, within) as Json)]);
    return Object.fromEntries(entries);
  };
  const { securitySchemes } = document['components'] as Json;
  return { ...document, paths: resolve(document['paths'], []), components: { securitySchemes } } as Json;
}
