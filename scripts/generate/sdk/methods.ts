import { toMethodName, pascalCase, toStreamingName } from './names.ts';
import type {
  Answer,
  AuthKind,
  Body,
  Field,
  Method,
  Parameter,
  Resume,
  TimeoutClass,
  TypeRef,
} from './sdk-api.ts';
import type { Schema, SchemaTypes } from './schema-types.ts';

interface DocumentedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
}

interface Content {
  schema: Schema;
  example?: unknown;
  'x-itemSchema'?: Schema;
  encoding?: Record<string, { contentType: string }>;
}

export interface DocumentedOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  security: readonly Record<string, unknown>[];
  parameters: readonly DocumentedParameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content>; $ref?: string }>;
}

interface OperationLocation {
  method: string;
  path: string;
  tag: string;
}

const EVENT_STREAM = 'text/event-stream';
const JSON_TYPE = 'application/json';

/** API operations that call a language model, so that SDK methods need a longer timeout. */
const GENERATING = new Set(['generateBot', 'tryBot', 'testBotProvider', 'sendWidgetMessage', 'testFlow']);
/** Text fields of forms that contain a JSON list. SDK methods also take the list itself. */
const JSON_LISTS = new Set(['tags']);
/** API operations whose request body is signed by its sender. */
const SIGNED = new Set(['receiveBillingEvent']);
/** Headers that are not arguments of SDK methods, because all requests have the header, or the SDK sets it. */
const COMMON_HEADERS = new Set(['X-API-Version', 'Idempotency-Key', 'Last-Event-ID']);

/** Describes the SDK method that calls an API operation, and a second method if the operation can also stream. */
export function describeMethods(
  operation: DocumentedOperation,
  place: OperationLocation,
  types: SchemaTypes,
): Method[] {
  const { operationId } = operation;
  const name = toMethodName(operationId, place.tag);
  const content = findSuccessContent(operation);
  const stream = content[EVENT_STREAM]?.['x-itemSchema'];
  const others = Object.keys(content).filter((mediaType) => mediaType !== EVENT_STREAM);
  const methods: Method[] = [];
  if (others.length > 0) methods.push(buildMethod(name, describeWholeAnswer(operation, others, types)));
  if (stream) {
    const answer: Answer = {
      kind: 'stream',
      union: types.eventUnion(stream),
      resume: chooseResume(operation, place),
    };
    methods.push(buildMethod(others.length > 0 ? toStreamingName(name) : name, answer));
  }
  return methods;

  function buildMethod(methodId: string, answer: Answer): Method {
    return {
      operationId,
      name: methodId,
      http: { method: place.method.toUpperCase() as Method['http']['method'], path: place.path },
      summary: operation.summary,
      description: operation.description,
      isDeprecated: operation.deprecated ?? false,
      auth: readAuth(operation),
      path: readParameters(operation, 'path', types),
      query: readParameters(operation, 'query', types),
      headers: readParameters(operation, 'header', types).filter(
        ({ name: header }) => !COMMON_HEADERS.has(header),
      ),
      body: describeBody(operation, types),
      answer,
      takesIdempotencyKey: operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
      timeoutClass: chooseTimeoutClass(operation, answer),
    };
  }
}

function findSuccessContent({ responses }: DocumentedOperation): Record<string, Content> {
  const [, success] = Object.entries(responses).find(([status]) => Number(status) < 400) ?? [];
  return success?.content ?? {};
}

function describeWholeAnswer(
  operation: DocumentedOperation,
  mediaTypes: readonly string[],
  types: SchemaTypes,
): Answer {
  if (operation.responses[302]) return { kind: 'redirect' };
  const content = findSuccessContent(operation);
  const json = content[JSON_TYPE];
  // Return the response as text if the parameter `format` selects the format of the response.
  const isChosen = operation.parameters.some(({ name }) => name === 'format');
  if (json && !isChosen) return describeJsonAnswer(operation, json.schema, types);
  const isBinary = mediaTypes.some((mediaType) => content[mediaType]?.schema.format === 'binary');
  return { kind: isBinary ? 'binary' : 'text', mediaTypes };
}

function describeJsonAnswer(operation: DocumentedOperation, schema: Schema, types: SchemaTypes): Answer {
  const { parameters, operationId } = operation;
  const findParameter = (name: string) => parameters.find((parameter) => parameter.name === name);
  const toType = (part: Schema = {}) => types.toType(part, `${pascalCase(operationId)}Response`, 'received');
  const { items, properties } = types.resolve(schema);
  if (findParameter('cursor')) return { kind: 'pages', item: toType(properties?.['items']?.items) };
  const limit = findParameter('limit')?.schema.default;
  const parameter = findParameter('after') ? 'after' : 'before';
  const position = findParameter(parameter)?.schema;
  if (!items || !position || typeof limit !== 'number') return { kind: 'json', type: toType(schema) };
  const field = position.type === 'integer' ? 'version' : 'id';
  if (!types.resolve(items).properties?.[field])
    throw new Error(`${operationId} has items without ${field}.`);
  return { kind: 'keyset', item: toType(items), parameter, field, defaultLimit: limit };
}

function chooseResume(operation: DocumentedOperation, { method }: OperationLocation): Resume {
  if (operation.parameters.some(({ name }) => name === 'Last-Event-ID')) return 'lastEventId';
  return method === 'get' ? 'again' : 'never';
}

function readAuth({ security }: DocumentedOperation): AuthKind {
  const schemes = security.flatMap(Object.keys);
  const isOptional = security.some((each) => Object.keys(each).length === 0);
  if (schemes.includes('visitorToken')) return isOptional ? 'visitorIfAny' : 'visitor';
  if (schemes.includes('apiKey')) return 'key';
  return schemes.includes('accessToken') ? 'session' : 'none';
}

function readParameters(
  { parameters, operationId }: DocumentedOperation,
  place: DocumentedParameter['in'],
  types: SchemaTypes,
): Parameter[] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, required, description }) => ({
      name,
      type: types.toType(schema, `${operationId}${name}`, 'sent'),
      isRequired: required,
      description,
    }));
}

function describeBody({ requestBody, operationId }: DocumentedOperation, types: SchemaTypes): Body | null {
  const [[mediaType, content] = []] = Object.entries(requestBody?.content ?? {});
  if (mediaType === undefined || content === undefined) return null;
  if (SIGNED.has(operationId)) return { kind: 'raw', contentType: mediaType };
  if (mediaType === 'multipart/form-data') return describeMultipartBody(content, operationId, types);
  return {
    kind: 'json',
    type: types.toType(content.schema, `${operationId}Body`, 'sent'),
    isRequired: requestBody?.required ?? false,
  };
}

function describeMultipartBody({ schema, encoding }: Content, operationId: string, types: SchemaTypes): Body {
  const fields = types.toFields(schema, operationId, 'sent');
  const file = fields.find(({ type }) => type.kind === 'string' && type.format === 'binary');
  if (!file) throw new Error(`${operationId} has a multipart body without a file.`);
  return {
    kind: 'multipart',
    fileField: file.name,
    fileTypes: (encoding?.[file.name]?.contentType ?? '').split(/,\s*/).filter((type) => type !== ''),
    fields: fields.filter((field) => field !== file).map(acceptList),
  };
}

/** Returns a field that also accepts a list, which the SDK encodes, if the field's text is a JSON list. */
function acceptList(field: Field): Field {
  if (!JSON_LISTS.has(field.name)) return field;
  const list: TypeRef = { kind: 'list', items: { kind: 'string' } };
  return {
    ...field,
    type: { kind: 'union', members: [list, field.type] },
    description: field.description.replace(/^A JSON array of/, 'A list, or a JSON array, of'),
  };
}

function chooseTimeoutClass({ operationId }: DocumentedOperation, answer: Answer): TimeoutClass {
  if (answer.kind === 'stream') return 'stream';
  if (GENERATING.has(operationId)) return 'generation';
  return answer.kind === 'binary' || /^(upload|import|export|download)/.test(operationId)
    ? 'transfer'
    : 'default';
}
