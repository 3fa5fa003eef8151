/** Parts of an OpenAPI 3.1 document that the API reference reads. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  additionalProperties?: Schema | boolean;
  description?: string;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  'x-itemSchema'?: Schema;
}

export interface ApiResponse {
  $ref?: string;
  description: string;
  content?: Readonly<Record<string, MediaType>>;
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security?: readonly object[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, MediaType>> };
  responses: Readonly<Record<string, ApiResponse>>;
  'x-codeSamples'?: readonly { label: string; source: string }[];
}

interface OpenApi {
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  components: Readonly<Record<string, Readonly<Record<string, Schema & ApiResponse>>>>;
}

/** Maximum nesting of lists and unions in an OpenAPI schema, within which objects are searched. */
const MAX_DEPTH = 6;

export class ApiDocument {
  readonly #document: OpenApi;

  constructor(document: OpenApi) {
    this.#document = document;
  }

  getOperation(path: string, method: string): ApiOperation {
    return this.#document.paths[path]![method]!;
  }

  /**
   * Returns the component of the OpenAPI document to which a part refers; the part itself if it is no
   * reference.
   */
  resolve<T extends { $ref?: string }>(part: T): T {
    const [, , kind, name] = part.$ref?.split('/') ?? [];
    return name === undefined ? part : (this.#document.components[kind!]![name] as unknown as T);
  }

  /**
   * Returns the objects with named fields of which a value of the OpenAPI schema consists, such as the items
   * of a list.
   */
  findObjects(schema: Schema, depth = 0): Schema[] {
    if (depth > MAX_DEPTH) return [];
    const { properties, items, anyOf, oneOf, allOf, additionalProperties } = this.resolve(schema);
    const parts = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])];
    if (items) parts.push(items);
    if (typeof additionalProperties === 'object') parts.push(additionalProperties);
    const own = properties && Object.keys(properties).length > 0 ? [this.resolve(schema)] : [];
    return [...own, ...parts.flatMap((part) => this.findObjects(part, depth + 1))];
  }

  /** Returns the names of all parameters and fields of an API operation. */
  listFieldNames({ parameters = [], requestBody, responses }: ApiOperation): Set<string> {
    const names = new Set(parameters.map(({ name }) => name));
    const visited = new Set<Schema>();
    const collect = (schema: Schema): void => {
      for (const object of this.findObjects(schema)) {
        if (visited.has(object)) continue;
        visited.add(object);
        for (const [name, property] of Object.entries(object.properties!)) {
          names.add(name);
          collect(property);
        }
      }
    };
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    for (const { content = {} } of [requestBody ?? {}, ...successes.map(([, each]) => each)])
      for (const { schema, 'x-itemSchema': item } of Object.values(content)) collect(item ?? schema);
    return names;
  }
}

const loading = new Map<string, Promise<ApiDocument>>();

/** Loads an OpenAPI document once. The next call repeats a failed load. */
export function loadDocument(source: string): Promise<ApiDocument> {
  const known = loading.get(source);
  if (known) return known;
  const loaded = fetch(source).then(async (response) => {
    if (!response.ok) throw new Error(`${source} responds with ${response.status}.`);
    return new ApiDocument((await response.json()) as OpenApi);
  });
  loading.set(source, loaded);
  loaded.catch(() => loading.delete(source));
  return loaded;
}
