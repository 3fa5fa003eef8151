import type { TSchema } from '@sinclair/typebox';
import { errorCodes, type ErrorCode } from '../../core/error-codes.ts';
import { isContentSpec, isMultipart, type Operation } from './operation.ts';
import { CURRENT_VERSION } from './version.ts';

type Json = Record<string, unknown>;

const tagDescriptions: Record<Operation['tag'], string> = {
  bots: 'Assistants and their configuration.',
  knowledge: 'Documents that bots answer from.',
  conversations: 'What visitors and bots have said.',
  widget: 'What the widget on a customer’s page calls.',
  webhooks: 'Signed events for customers’ servers.',
  meta: 'The service itself.',
};

const responseHeaders: Json = {
  'X-Request-ID': header('Identifies the request, for support.'),
  'X-API-Version': header('The dated version that served the request.'),
  'RateLimit-Limit': header('Requests permitted in the current window.', 'integer'),
  'RateLimit-Remaining': header('Requests left in it.', 'integer'),
  'RateLimit-Reset': header('Seconds until the window resets.', 'integer'),
};

const documents = new WeakMap<readonly Operation[], Json>();

/** The same document again for the same operations. */
export function openApiOf(operations: readonly Operation[], baseUrl: string): Json {
  let document = documents.get(operations);
  if (!document) documents.set(operations, (document = buildOpenApi(operations, baseUrl)));
  return document;
}

/** The OpenAPI 3.1 document of the operations; schemas with an `$id` become components. */
export function buildOpenApi(operations: readonly Operation[], baseUrl: string): Json {
  const components = new Components();
  components.add(problemSchema());
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation, components);
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley API',
      version: CURRENT_VERSION,
      description: 'Build, configure and run chat assistants that answer from your own documents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    components: {
      schemas: components.schemas,
      headers: responseHeaders,
      responses: problemResponses(operations),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `parley_live_…`.' },
        visitorToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The visitor_token of a widget session.',
        },
      },
    },
  };
}

/** Codes that an operation can answer with: those of its kind and its own. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const { auth, scope, params, body, isUnmetered, errors } = operation;
  const codes = new Set<ErrorCode>([
    'unsupported_version',
    'not_acceptable',
    'validation_error',
    'internal_error',
    'not_ready',
  ]);
  if (!isUnmetered) codes.add('rate_limited');
  if (auth !== 'public') codes.add('unauthenticated');
  if (scope || auth === 'visitor') codes.add('forbidden');
  if (params && auth === 'key') codes.add('not_found');
  if (body) for (const code of ['payload_too_large', 'unsupported_media_type'] as const) codes.add(code);
  if (body && !isMultipart(body)) codes.add('malformed_json');
  for (const code of errors) codes.add(code);
  return [...codes];
}

function describe(operation: Operation, components: Components): Json {
  const { id, tag, summary, auth, scope, role, success } = operation;
  const description = scope ? `Needs the scope \`${scope}\` and the role ${role} or above.` : undefined;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: auth === 'public' ? [] : [{ [auth === 'key' ? 'apiKey' : 'visitorToken']: [] }],
    parameters: [
      ...parametersOf(operation.params, 'path', components),
      ...parametersOf(operation.query, 'query', components),
      ...headerParameters(operation),
    ],
    ...(operation.body && { requestBody: requestBodyOf(operation.body, components) }),
    responses: {
      [success.status]: {
        description: isContentSpec(success.spec)
          ? success.spec.description
          : (success.spec.description ?? summary),
        headers: refs(Object.keys(responseHeaders), 'headers'),
        content: contentOf(operation, components),
      },
      ...errorResponses(errorsOf(operation)),
    },
  };
}

function contentOf({ success: { spec } }: Operation, components: Components): Json {
  if (!isContentSpec(spec)) return { 'application/json': { schema: components.refer(spec) } };
  return Object.fromEntries(
    Object.entries(spec.content).map(([mediaType, schema]) => [
      mediaType,
      { schema: schema ? components.refer(schema) : { type: 'string' } },
    ]),
  );
}

function parametersOf(schema: TSchema | undefined, where: 'path' | 'query', components: Components): Json[] {
  const properties = (schema?.['properties'] ?? {}) as Record<string, TSchema>;
  const required = (schema?.['required'] ?? []) as string[];
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: where,
      required: required.includes(name),
      ...(description && { description }),
      schema: components.refer(rest as TSchema),
    };
  });
}

function headerParameters({ headers, isWrite, auth }: Operation): Json[] {
  const own = Object.entries(headers).map(([name, description]) =>
    headerParameter(name, description, { type: 'string' }),
  );
  const version = headerParameter(
    'X-API-Version',
    'Pins the API version; by default the one recorded on the key.',
    {
      type: 'string',
      examples: [CURRENT_VERSION],
    },
  );
  const key = headerParameter('Idempotency-Key', 'Makes a repetition of the request safe for 24 hours.', {
    type: 'string',
    minLength: 1,
    maxLength: 255,
  });
  return [...own, version, ...(isWrite && auth !== 'public' ? [key] : [])];
}

function headerParameter(name: string, description: string, schema: Json): Json {
  return { name, in: 'header', required: false, description, schema };
}

function requestBodyOf(body: NonNullable<Operation['body']>, components: Components): Json {
  if (!isMultipart(body))
    return { required: true, content: { 'application/json': { schema: components.refer(body) } } };
  const fields = body.multipart;
  const schema = {
    type: 'object',
    properties: {
      file: { type: 'string', format: 'binary', description: 'The file.' },
      ...(fields['properties'] as Json),
    },
    required: ['file'],
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function errorResponses(codes: ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => errorCodes[code].status === status);
      const [only] = ofStatus;
      if (ofStatus.length === 1 && only) return [status, { $ref: `#/components/responses/${only}` }];
      return [
        status,
        problemResponse(ofStatus.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('. ')),
      ];
    }),
  );
}

function problemResponses(operations: readonly Operation[]): Json {
  const used = new Set(operations.flatMap(errorsOf));
  return Object.fromEntries([...used].sort().map((code) => [code, problemResponse(errorCodes[code].title)]));
}

function problemResponse(description: string): Json {
  return {
    description,
    headers: refs(Object.keys(responseHeaders), 'headers'),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function refs(names: string[], kind: string): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]));
}

function header(description: string, type = 'string'): Json {
  return { description, schema: { type } };
}

function problemSchema(): TSchema {
  const text = { type: 'string' };
  return {
    $id: 'Problem',
    description:
      'RFC 9457 problem details. `detail` is a list for validation_error, a text for every other code.',
    type: 'object',
    required: ['type', 'title', 'status', 'instance', 'request_id', 'error', 'details', 'detail'],
    properties: {
      type: { ...text, format: 'uri', description: 'Resolves to a page about the code.' },
      title: text,
      status: { type: 'integer' },
      instance: text,
      request_id: text,
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { ...text, enum: Object.keys(errorCodes) }, message: text },
      },
      details: {
        type: 'array',
        items: {
          type: 'object',
          required: ['field', 'in', 'code', 'message'],
          properties: {
            field: text,
            pointer: text,
            in: { ...text, enum: ['body', 'path', 'query', 'header'] },
            code: text,
            message: text,
          },
        },
      },
      detail: {
        oneOf: [
          text,
          {
            type: 'array',
            items: {
              type: 'object',
              required: ['loc', 'msg', 'type'],
              properties: {
                loc: { type: 'array', items: { type: ['string', 'integer'] } },
                msg: text,
                type: text,
              },
            },
          },
        ],
      },
    },
  } as unknown as TSchema;
}

/** Collects named schemas and replaces them by references. */
class Components {
  readonly schemas: Record<string, Json> = {};

  add(schema: TSchema): void {
    this.refer(schema);
  }

  refer(schema: TSchema): Json {
    return this.#convert(JSON.parse(JSON.stringify(schema)) as Json) as Json;
  }

  #convert(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.#convert(item));
    if (typeof node !== 'object' || node === null) return node;
    const { $id, ...rest } = node as Json & { $id?: string };
    const converted = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, this.#convert(value)]),
    );
    if ($id === undefined) return converted;
    const reference = { $ref: `#/components/schemas/${$id}` };
    if (!Array.isArray(converted['type'])) {
      this.schemas[$id] = converted;
      return reference;
    }
    this.schemas[$id] ??= { ...converted, type: converted['type'][0] };
    return { anyOf: [reference, { type: 'null' }] };
  }
}
