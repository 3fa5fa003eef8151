import type { TSchema } from '@sinclair/typebox';
import { shippedVersions, type ApiVersions } from '../../../core/api-versions.ts';
import { errorCodes, type ErrorCode } from '../../../core/errors/error-codes.ts';
import { EVENT_STREAM } from '../response/event-stream.ts';
import { Components, type Json } from './openapi-components.ts';
import { buildLinks } from './openapi-links.ts';
import { findCreatedResource } from '../created-resource.ts';
import { sendsEntityTag } from '../entity-tags.ts';
import { describeWebhooks } from './openapi-webhooks.ts';
import { renameRequestDefaults } from './request-defaults.ts';
import { groupTags } from './tag-groups.ts';
import { isBodyRequired, isContentSpec, isMultipart, isRaw, type Operation } from '../operation.ts';
import { isPublicFacing, type AuthKind } from '../access/principal.ts';
import { problemExample, problemSchema } from '../problems/problem.schema.ts';
import { contentExample, eventStreamExample, buildExample } from './schema-example.ts';

const tagDescriptions: Record<Operation['tag'], string> = {
  auth: 'Accounts of people, and how they sign in.',
  bots: 'Assistants and their configuration.',
  versions: 'Saved configurations of bots, which can be restored.',
  'test-sets': 'Questions that test the answers of bots, and their results.',
  directory: 'Choices that lead visitors to a link.',
  knowledge: 'Documents that bots answer from.',
  conversations: 'Conversations between visitors and bots.',
  contacts: 'Visitors with known contact details.',
  inbox: 'Conversations that wait for a person or are handled by a person.',
  widget: 'Operations that the widget on your page calls.',
  flows: 'Scripted conversations of bots.',
  webhooks: 'Signed events that Parley sends to your servers.',
  encryption: 'Encryption of content, and who owns the key.',
  billing: 'Plans, subscriptions, payments and receipts.',
  usage: 'Usage of the plan by workspaces and their bots.',
  archive: 'Exports of conversations as archives, and imports of archives.',
  analytics: 'Outcomes of conversations, and visitors’ questions.',
  orgs: 'Workspaces, their hierarchy, and the audit log.',
  members: 'The people of a workspace, and invitations.',
  'api-keys': 'API keys, with which programs call the API.',
  'tool-invocations': 'The log of tool calls to the MCP server.',
  requests: 'The log of requests to the API.',
  alerts: 'Alerts about events, sent to messaging apps.',
  bookings: 'Free times of the workspace’s calendar, and the meetings that are booked.',
  'email-preferences': 'The categories of email that a person receives.',
  meta: 'Health, limits, versions and errors of this API.',
};

const responseHeaders: Json = {
  'X-Request-ID': header('Identifies the request, for support.'),
  'X-API-Version': header('The dated version that served the request.'),
  Deprecation: header(
    'Time at which the version or the operation became deprecated (RFC 9745); absent otherwise.',
  ),
  Sunset: header('Time at which the operation will be removed (RFC 8594); absent if no removal is planned.'),
  Link: header('Links to documentation, as `rel="deprecation"` and `rel="sunset"`.'),
  'RateLimit-Limit': header('Requests permitted in the current window.', 'integer'),
  'RateLimit-Remaining': header('Requests left in the current window.', 'integer'),
  'RateLimit-Reset': header('Seconds until the window resets.', 'integer'),
};

const situationalHeaders: Json = {
  'Idempotent-Replay': header(
    '`true` if this is the response to an earlier request with the same Idempotency-Key.',
  ),
  ETag: header('Identifies the state of the resource; send it as If-Match with a change.'),
  Location: header('Path of the created resource.'),
  'Retry-After': header('Seconds to wait before the request is sent again.', 'integer'),
  'WWW-Authenticate': header('The required scheme of credentials (RFC 6750).'),
};

const headerOfError: { [code in ErrorCode]?: string } = {
  unauthenticated: 'WWW-Authenticate',
  idempotency_in_progress: 'Retry-After',
  key_unavailable: 'Retry-After',
  rate_limited: 'Retry-After',
  not_ready: 'Retry-After',
};

/** Builds the OpenAPI 3.1 document for one version of the API. Schemas with an `$id` become components. */
export function buildOpenApi(...options: Parameters<typeof buildOpenApiStepwise>): Json {
  const steps = buildOpenApiStepwise(...options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Builds the same document as `buildOpenApi`, in steps of a few milliseconds. The whole document takes a
 * tenth of a second.
 */
export function* buildOpenApiStepwise(
  operations: readonly Operation[],
  baseUrl: string,
  versions = shippedVersions,
  version = versions.current,
): Generator<void, Json> {
  const components = new Components();
  components.add(problemSchema());
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    yield;
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(
      operation,
      components,
      versions,
      buildLinks(operation, operations),
      baseUrl,
      findCreatedResource(operation, operations) !== undefined,
    );
  }
  yield;
  const webhooks = describeWebhooks(operations, components, versions.current);
  yield;
  const bodies = Object.values(paths).flatMap((path) =>
    Object.values(path).map((operation) => (operation as Json)['requestBody']),
  );
  renameRequestDefaults(bodies, components.schemas);
  yield;
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Parley API',
      version: versions.current,
      // API version in a form for generated packages, since a date with hyphens is not a valid version in PEP
      // 440 or SemVer.
      'x-package-version': toPackageVersion(version),
      description:
        'Build, configure and run chat assistants that answer from your own documents. Within a version, ' +
        'responses may gain fields, error codes and enum values; clients must accept unknown ones.',
      contact: { name: 'Parley', url: `${baseUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] })),
    'x-tagGroups': groupTags(tags),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: components.schemas,
      headers: { ...responseHeaders, ...situationalHeaders },
      responses: problemResponses(operations),
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access_token of a signed-in person. It expires after expires_in seconds.',
        },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `parley_live_…`.' },
        visitorToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The visitor_token of a widget session.',
        },
      },
    },
  };
  return versions.buildDocument(version, document);
}

/** Writes the date of an API version as PEP 440 and SemVer allow: `2026.9.3`. */
function toPackageVersion(date: string): string {
  return date.split('-').map(Number).join('.');
}

const securityByAuth: Record<AuthKind, string[]> = {
  member: ['apiKey', 'accessToken'],
  user: ['apiKey', 'accessToken'],
  session: ['accessToken'],
  account: ['accessToken'],
  visitor: ['visitorToken'],
  public: [],
};

/**
 * Returns all error codes with which an operation can respond: its own codes, and codes that follow from its
 * properties.
 */
export function listErrorCodes(operation: Operation): ErrorCode[] {
  const { auth, scope, params, body, isWrite, transaction, isUnmetered, freshProof, errors } = operation;
  const codes = new Set<ErrorCode>(['unsupported_version', 'not_acceptable', 'validation_error']);
  if (!isUnmetered)
    for (const code of ['rate_limited', 'internal_error', 'not_ready'] as const) codes.add(code);
  if (auth !== 'public') codes.add('unauthenticated');
  if (auth !== 'public' && (auth !== 'user' || scope)) codes.add('forbidden');
  if (params && !isPublicFacing(auth)) codes.add('not_found');
  if (body) for (const code of ['payload_too_large', 'unsupported_media_type'] as const) codes.add(code);
  if (body && !isMultipart(body)) codes.add('malformed_json');
  if (isWrite) codes.add('idempotency_key_reused');
  if (isWrite && transaction !== 'manual') codes.add('idempotency_in_progress');
  if (freshProof) codes.add('fresh_proof_required');
  for (const code of errors) codes.add(code);
  return [...codes];
}

function describeOperation(
  operation: Operation,
  components: Components,
  versions: ApiVersions,
  links: Json,
  baseUrl: string,
  isLocated: boolean,
): Json {
  const { id, tag, summary, guide, auth, success } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: describeCallRules(operation),
    ...(guide && { externalDocs: { url: `${baseUrl}/docs/${guide.path}`, description: guide.title } }),
    ...(operation.deprecated && { deprecated: true }),
    security: [
      ...(operation.takesVisitorToken ? [{}, { visitorToken: [] }] : []),
      ...securityByAuth[auth].map((scheme) => ({ [scheme]: [] })),
    ],
    parameters: [
      ...buildParameters(operation.params, 'path', components),
      ...buildParameters(operation.query, 'query', components),
      ...headerParameters(operation, versions),
    ],
    ...(operation.body && { requestBody: buildRequestBody(operation.body, components) }),
    responses: {
      [success.status]: {
        description: isContentSpec(success.spec)
          ? success.spec.description
          : (success.spec.description ?? summary),
        headers: headersWith([
          ...(operation.isWrite ? ['Idempotent-Replay'] : []),
          ...(sendsEntityTag(operation) ? ['ETag'] : []),
          ...(isLocated ? ['Location'] : []),
        ]),
        content: buildContent(operation, components),
        ...(Object.keys(links).length > 0 && { links }),
      },
      ...errorResponses(listErrorCodes(operation)),
    },
  };
}

function describeCallRules(operation: Operation): string {
  const rules = [describeAccess(operation), describeFreshness(operation), describeNotice(operation)];
  return [operation.explanation, rules.filter(Boolean).join(' ')].filter(Boolean).join('\n\n');
}

function describeFreshness({ freshProof }: Operation): string {
  if (!freshProof) return '';
  const requirement = 'A signed-in caller must have signed in within the last ten minutes';
  if (freshProof === true) return `${requirement}.`;
  if (freshProof === 'or_in_body') return `${requirement}, unless the body proves who owns the account.`;
  return `${requirement}, ${freshProof.where}.`;
}

function describeNotice({ notifies }: Operation): string {
  return notifies === undefined ? '' : 'The workspace’s owners are notified by email.';
}

function describeAccess({ auth, scope, role, takesVisitorToken }: Operation): string {
  switch (auth) {
    case 'public':
      return takesVisitorToken
        ? 'Needs no credentials; the visitor token of a session is optional.'
        : 'Needs no credentials.';
    case 'visitor':
      return 'Needs the visitor token of the session.';
    case 'member':
      return `Needs an API key with the scope \`${scope}\`, created by a person with the role ${role} or above, or the access token of a person with that role.`;
    case 'session':
      return `Needs the access token of a person with the role ${role} or above.`;
    case 'account':
      return 'Needs an access token.';
    case 'user':
      return scope
        ? `Needs an API key with the scope \`${scope}\`, or an access token.`
        : 'Needs an API key or an access token.';
  }
}

function buildContent({ success: { spec } }: Operation, components: Components): Json {
  const content = isContentSpec(spec) ? spec.content : { 'application/json': spec };
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, schema]) => [
      mediaType,
      buildMediaType(mediaType, schema, components),
    ]),
  );
}

function buildMediaType(mediaType: string, schema: TSchema | null, components: Components): Json {
  if (!schema) {
    const binary = mediaType.startsWith('text/') ? {} : { format: 'binary' };
    return { schema: { type: 'string', ...binary }, example: contentExample(mediaType) };
  }
  const item = components.refer(schema);
  if (mediaType !== EVENT_STREAM) return { schema: item, example: buildExample(schema, 'response') };
  // Describes a stream of events as text, since only OpenAPI 3.2 has `itemSchema` for the events of a stream.
  const text = { type: 'string', description: 'Server-sent events; x-itemSchema describes their `data`.' };
  return { schema: text, 'x-itemSchema': item, example: eventStreamExample(schema) };
}

function buildParameters(
  schema: TSchema | undefined,
  where: 'path' | 'query',
  components: Components,
): Json[] {
  const properties = (schema?.['properties'] ?? {}) as Record<string, TSchema>;
  const required = (schema?.['required'] ?? []) as string[];
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property;
    const isRequired = required.includes(name);
    return {
      name,
      in: where,
      required: isRequired,
      ...(description && { description }),
      // Optional parameters have no example, since the page of the API reference would send the example with
      // each trial request.
      ...(isRequired && { example: buildExample(property, 'request', name) }),
      schema: components.refer(rest as TSchema),
    };
  });
}

function headerParameters({ headers, isWrite }: Operation, versions: ApiVersions): Json[] {
  const ownHeaders = Object.entries(headers).map(([name, description]) =>
    headerParameter(name, description, { type: 'string' }),
  );
  const version = headerParameter(
    'X-API-Version',
    'Pins the API version; by default the version recorded on the key.',
    { type: 'string', enum: versions.all.map(({ version }) => version) },
  );
  const key = headerParameter(
    'Idempotency-Key',
    'A random value, such as a UUID, that identifies this write. A repeated request within 24 hours has no effect and returns the original response.',
    {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[ -~]+$',
    },
  );
  return [...ownHeaders, version, ...(isWrite ? [key] : [])];
}

function headerParameter(name: string, description: string, schema: Json): Json {
  return { name, in: 'header', required: false, description, schema };
}

function buildRequestBody(body: NonNullable<Operation['body']>, components: Components): Json {
  if (!isMultipart(body)) {
    const schema = isRaw(body) ? body.raw : body;
    const media = { schema: components.refer(schema), example: buildExample(schema, 'request') };
    return { required: isBodyRequired(schema), content: { 'application/json': media } };
  }
  const { multipart: fields, fileTypes } = body;
  const file = { type: 'string', format: 'binary', minLength: 1, description: 'The file.' };
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: { file, ...(fields['properties'] as Json) },
    required: ['file'],
  };
  const encoding = { file: { contentType: fileTypes.join(', ') } };
  const shownType = fileTypes.includes('text/plain') ? 'text/plain' : 'application/octet-stream';
  const example = { file: contentExample(shownType), ...(buildExample(fields, 'request') as Json) };
  return { required: true, content: { 'multipart/form-data': { schema, encoding, example } } };
}

function errorResponses(codes: ErrorCode[]): Json {
  return Object.fromEntries(
    groupByStatus(codes).map(([status, statusCodes]) => {
      const [only] = statusCodes;
      if (statusCodes.length === 1 && only) return [status, { $ref: `#/components/responses/${only}` }];
      const description = statusCodes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('. ');
      return [status, problemResponse(description, statusCodes)];
    }),
  );
}

/**
 * Returns reusable error responses for the OpenAPI document, for each error code that is the only code with
 * its status in some operation.
 */
function problemResponses(operations: readonly Operation[]): Json {
  const alone = operations.flatMap((operation) =>
    groupByStatus(listErrorCodes(operation)).flatMap(([, codes]) => (codes.length === 1 ? codes : [])),
  );
  return Object.fromEntries(
    [...new Set(alone)].sort().map((code) => [code, problemResponse(errorCodes[code].title, [code])]),
  );
}

function groupByStatus(codes: ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => [status, codes.filter((code) => errorCodes[code].status === status)]);
}

function problemResponse(description: string, codes: ErrorCode[]): Json {
  return {
    description,
    headers: headersWith(codes.flatMap((code) => headerOfError[code] ?? [])),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }])),
      },
    },
  };
}

/**
 * Returns the OpenAPI descriptions of the headers that all responses have, and of the headers with the given
 * names.
 */
function headersWith(names: string[]): Json {
  return Object.fromEntries(
    [...Object.keys(responseHeaders), ...names].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

function header(description: string, type = 'string'): Json {
  return { description, schema: { type } };
}
