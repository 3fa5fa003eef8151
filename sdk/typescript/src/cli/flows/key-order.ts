import { isObject } from '../../describe-type.ts';

/**
 * JSON keys in the order in which a new flow file contains them. Keys that are not listed follow, by name.
 */
const CANONICAL = [
  'format',
  'id',
  'bot_id',
  'updated_at',
  'type',
  'name',
  'description',
  'trigger',
  'graph',
  'version',
  'nodes',
  'edges',
  'source',
  'port',
  'target',
  'position',
  'data',
];

/**
 * Orders the JSON keys of a flow, because the server does not preserve their order. Keys that also occur in
 * `model` get its order. Other keys are inserted before the first key that follows them in the canonical
 * order.
 * @param model earlier JSON of the same kind; undefined for the canonical order
 */
export function orderKeys(value: unknown, model?: unknown): unknown {
  if (Array.isArray(value)) {
    const models: readonly unknown[] = Array.isArray(model) ? model : [];
    return value.map((item: unknown, index) => orderKeys(item, findModel(item, models) ?? models[index]));
  }
  if (!isObject(value)) return value;
  const known = isObject(model) ? model : {};
  const names = Object.keys(known).filter((name) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter((name) => !Object.hasOwn(known, name));
  for (const name of others.sort(compareNames)) {
    const at = names.findIndex((each) => compareNames(name, each) < 0);
    names.splice(at < 0 ? names.length : at, 0, name);
  }
  return Object.fromEntries(names.map((name) => [name, orderKeys(value[name], known[name])]));
}

/** Finds the object of the earlier flow file with the same id, which may have moved within its list. */
function findModel(item: unknown, models: readonly unknown[]): unknown {
  if (!isObject(item) || item['id'] === undefined) return undefined;
  return models.find((each) => isObject(each) && each['id'] === item['id']);
}

function compareNames(one: string, other: string): number {
  const [rank, otherRank] = [one, other].map((name) => CANONICAL.indexOf(name)) as [number, number];
  if (rank < 0 && otherRank < 0) return one < other ? -1 : 1;
  if (rank < 0 || otherRank < 0) return rank < 0 ? 1 : -1;
  return rank - otherRank;
}
