import { readFileSync } from 'node:fs';
import { describeApi } from '../../../scripts/generate/sdk/api-description.ts';
import { camelCase, snakeCase } from '../../../scripts/generate/sdk/names.ts';
import { eventCatalog } from '../../../services/webhooks/event-catalog.ts';

type Json = Readonly<Record<string, unknown>>;

interface Documented {
  operationId: string;
  parameters?: { name: string }[];
  requestBody?: Json;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, Json> };
}

const [contract, extensions] = ['openapi.json', 'openapi.ext.json'].map(
  (file) => JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument,
) as [OpenApiDocument, OpenApiDocument];
const document: OpenApiDocument = {
  paths: { ...contract.paths, ...extensions.paths },
  components: { schemas: { ...extensions.components.schemas, ...contract.components.schemas } },
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    ...operation,
  })),
);

export const operationIds: ReadonlySet<string> = new Set(operations.map(({ operationId }) => operationId));

/** Names and enum values of a request's parameters and body, by operation id. */
export const inputWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  operations.map(({ operationId, parameters = [], requestBody = {} }) => {
    const words = collectWords(requestBody);
    for (const parameter of parameters) {
      words.add(parameter.name);
      for (const word of collectWords(parameter as unknown as Json)) words.add(word);
    }
    return [operationId, words];
  }),
);

/** Names and enum values of all fields, parameters and events of the API. */
export const apiWords: ReadonlySet<string> = new Set([
  ...collectWords(document as unknown as Json),
  ...operations.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name)),
  ...collectWords({ events: eventCatalog.map(({ schema }) => schema) }),
]);

/** Names of the API's events of webhooks and streams. */
export const eventNames: ReadonlySet<string> = new Set([
  ...eventCatalog.map(({ name }) => name),
  ...describeApi().eventUnions.flatMap(({ events }) => events.map(({ event }) => event)),
]);

/** Methods of both SDKs: `bots.create`, `knowledge.getStatus` and `knowledge.get_status`. */
export const sdkMethods: ReadonlySet<string> = new Set(
  describeApi().resources.flatMap(({ name, methods }) =>
    methods.flatMap((method) => [
      `${camelCase(name)}.${method.name}`,
      `${snakeCase(name)}.${snakeCase(method.name)}`,
    ]),
  ),
);

/**
 * Returns whether an API operation has this path. A part in braces or angles, or an ellipsis, matches any
 * value. Names in the query must be parameters of the operation.
 */
export function isApiPath(method: string | undefined, written: string): boolean {
  const [path = '', query = ''] = written.split('?');
  const parts = path.replace(/\/$/, '').split('/');
  const names = query === '' ? [] : query.split('&').map((pair) => pair.split('=')[0] ?? '');
  return operations.some(
    (operation) =>
      (method === undefined || operation.method === method) &&
      isSamePath(operation.path.split('/'), parts) &&
      names.every((name) => operation.parameters?.some((parameter) => parameter.name === name)),
  );
}

function isSamePath(documented: readonly string[], written: readonly string[]): boolean {
  if (documented.length !== written.length) return false;
  return documented.every((part, index) => {
    const other = written[index] ?? '';
    return part === other || (part.startsWith('{') && /^[{<].*[}>]$|^…$|^\$/.test(other));
  });
}

function collectWords(schema: unknown, seen: ReadonlySet<string> = new Set()): Set<string> {
  const words = new Set<string>();
  const add = (found: Iterable<string>) => {
    for (const word of found) words.add(word);
  };
  if (Array.isArray(schema)) for (const each of schema) add(collectWords(each, seen));
  else if (typeof schema === 'object' && schema !== null) {
    const { $ref, properties, enum: values, const: constant, ...rest } = schema as Json;
    if (typeof $ref === 'string') {
      const name = $ref.split('/').at(-1) ?? '';
      if (!seen.has(name)) add(collectWords(document.components.schemas[name], new Set([...seen, name])));
    }
    if (properties !== undefined) add(Object.keys(properties as Json));
    add([values ?? [], constant ?? []].flat().map(String));
    for (const each of [...Object.values((properties ?? {}) as Json), ...Object.values(withoutProse(rest))])
      add(collectWords(each, seen));
  }
  return words;
}

function withoutProse({ description: _, example: __, examples: ___, ...rest }: Json): Json {
  return rest;
}
