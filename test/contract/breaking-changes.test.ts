import assert from 'node:assert/strict';
import { buildOpenApi } from '../../api/http/openapi/openapi.ts';
import { operations } from '../../api/registry.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { LooseJson } from '../support/loose-json.ts';
import { shippedVersions } from '../../core/api-versions.ts';
import { listReleased, readReleased } from '../../scripts/generate/openapi-document.ts';
import { findBreakingChanges } from '../../scripts/generate/breaking-changes.ts';

describe('compatibility with released API versions', () => {
  it('serves the document of every released version', () => {
    const served: string[] = shippedVersions.all.map(({ version }) => version);
    assert.deepEqual(
      listReleased().filter((version) => !served.includes(version)),
      [],
    );
  });

  it('has every operation in the released document of its version (else run `npm run generate -- --release`)', () => {
    const released = readReleased(shippedVersions.current);
    const missing = operations.filter(({ id }) => !released.includes(`"operationId": "${id}"`));
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
    );
  });

  for (const version of listReleased()) {
    it(`keeps the responses and requests of version ${version} compatible`, () => {
      const released = JSON.parse(readReleased(version));
      const current = buildOpenApi(operations, 'http://localhost:3000', shippedVersions, version);
      assert.deepEqual(findBreakingChanges(released, current), []);
    }).timeout(60_000);
  }
});

const BOTS = '/api/bots';
const BOT = '/api/bots/{bot_id}';
const UPLOAD = '/api/bots/{bot_id}/knowledge/upload';
const META = '/api/meta';
const STREAM = '/api/public/sessions/{session_id}/messages/stream';

type Mutation = (document: LooseJson) => void;

const refused: Record<string, Mutation> = {
  'a path is removed': ({ paths }) => delete paths[META],
  'an operation is removed': ({ paths }) => delete paths[BOT].delete,
  'an operation gets another id': ({ paths }) => (paths[BOT].get.operationId = 'readBot'),
  'a public operation requires credentials': ({ paths }) => (paths[META].get.security = [{ apiKey: [] }]),
  'an operation requires other credentials': ({ paths }) =>
    (paths[BOTS].get.security = [{ visitorToken: [] }]),
  'a parameter is removed': ({ paths }) => paths[BOTS].get.parameters.splice(4, 1),
  'a new parameter is required': ({ paths }) =>
    paths[BOTS].get.parameters.push({ name: 'a', in: 'query', required: true, schema: { type: 'string' } }),
  'a parameter becomes required': ({ paths }) => (findParameter(paths, 'q').required = true),
  'a parameter gets another type': ({ paths }) => (findParameter(paths, 'page_size').schema.type = 'string'),
  'a parameter gets a lower maximum': ({ paths }) => (findParameter(paths, 'page_size').schema.maximum = 50),
  'a parameter loses a value': ({ paths }) => findParameter(paths, 'status').schema.enum.pop(),
  'a parameter gets an enum': ({ paths }) => (findParameter(paths, 'q').schema.enum = ['a']),
  'a parameter in the path gets another format': ({ paths }) =>
    (paths[BOT].get.parameters[0].schema.format = 'date'),
  'a request’s media type is removed': ({ paths }) => renameKey(paths[BOTS].post.requestBody.content),
  'an upload no longer accepts a file type': ({ paths }) =>
    (findFileSchema(paths).contentType = findFileSchema(paths).contentType.replace('application/pdf, ', '')),
  'a request’s field is removed': (document) => delete findCreateSchema(document).model,
  'a request’s field becomes required': ({ components }) =>
    components.schemas.BotCreate.required.push('model'),
  'a request has a new required field': (document) => {
    findCreateSchema(document).tone = { type: 'string' };
    document.components.schemas.BotCreate.required.push('tone');
  },
  'a request’s field gets another type': (document) =>
    (findCreateSchema(document).max_tokens.type = 'string'),
  'a request’s field no longer accepts fractions': (document) =>
    (findCreateSchema(document).temperature.type = 'integer'),
  'a request’s field no longer accepts null': (document) =>
    (findCreateSchema(document).description.type = 'string'),
  'a request’s field gets a lower maximum': (document) =>
    (findCreateSchema(document).max_tokens.maximum = 100),
  'a request’s field gets a higher minimum': (document) =>
    (findCreateSchema(document).max_tokens.minimum = 65),
  'a request’s field gets a lower maximum length': (document) =>
    (findCreateSchema(document).name.maxLength = 254),
  'a request’s field gets a higher minimum length': (document) =>
    (findCreateSchema(document).description.minLength = 1),
  'a request’s list accepts fewer items': (document) =>
    (findCreateSchema(document).starter_questions.maxItems = 5),
  'a request’s field gets a pattern': (document) => (findCreateSchema(document).name.pattern = '^a'),
  'a request’s field gets a format': (document) => (findCreateSchema(document).name.format = 'uuid'),
  'a request’s field loses a value': (document) => findCreateSchema(document).llm_provider.enum.pop(),
  'a request’s field gets an enum': (document) => (findCreateSchema(document).language.enum = ['en']),
  'a request’s field gets another default': (document) =>
    (findCreateSchema(document).max_tokens['x-default'] = 1),
  'a request’s object no longer accepts additional keys': ({ components }) =>
    (components.schemas.WidgetTheme.additionalProperties = false),
  'an operation gets another success status': ({ paths }) =>
    renameKey(paths[BOTS].post.responses, '201', '200'),
  'the status of an error is removed': ({ paths }) => delete paths[BOTS].post.responses['409'],
  'a response’s media type is removed': ({ paths }) => renameKey(paths[BOTS].post.responses['201'].content),
  'a response’s header is removed': ({ paths }) =>
    delete paths[BOTS].post.responses['201'].headers['X-Request-ID'],
  'a response’s field is removed': ({ components }) => removeField(components.schemas.BotRead, 'public_key'),
  'a page’s field is removed': ({ components }) =>
    removeField(components.schemas.PaginatedResponse_BotRead, 'total'),
  'a response’s field becomes optional': ({ components }) => components.schemas.BotRead.required.pop(),
  'a response’s field gets another type': (document) => (findReadSchema(document).max_tokens.type = 'string'),
  'a response’s field may be a fraction': (document) => (findReadSchema(document).max_tokens.type = 'number'),
  'a response’s field may be null': (document) =>
    (findReadSchema(document).public_key.type = ['string', 'null']),
  'a response’s field loses a value': (document) => findReadSchema(document).status.enum.pop(),
  'an error code is removed': ({ components }) =>
    components.schemas.Problem.properties.error.properties.code.enum.pop(),
  'an event of a stream is removed': ({ components }) => components.schemas.WidgetEvent.anyOf.pop(),
  'a field of an event is removed': ({ components }) =>
    removeField(components.schemas.WidgetEvent.anyOf[1], 'text'),
};

const accepted: Record<string, Mutation> = {
  'a public operation also accepts credentials': ({ paths }) =>
    (paths[META].get.security = [{}, { visitorToken: [] }]),
  'nothing changes': () => {},
  'a path is added': ({ paths }) => (paths['/api/new'] = structuredClone(paths[META])),
  'an operation is added': ({ paths }) => (paths[META].post = structuredClone(paths[META].get)),
  'a new parameter is optional': ({ paths }) =>
    paths[BOTS].get.parameters.push({ name: 'a', in: 'query', required: false, schema: { type: 'string' } }),
  'parameters change their order': ({ paths }) => paths[BOTS].get.parameters.reverse(),
  'a parameter gets a higher maximum': ({ paths }) =>
    (findParameter(paths, 'page_size').schema.maximum = 500),
  'an upload accepts another file type': ({ paths }) => (findFileSchema(paths).contentType += ', text/rtf'),
  'a request’s new field is optional': (document) => (findCreateSchema(document).tone = { type: 'string' }),
  'a request’s field becomes optional': ({ components }) => (components.schemas.BotCreate.required = []),
  'a request’s field may be null': (document) => (findCreateSchema(document).name.type = ['string', 'null']),
  'a request’s field accepts fractions': (document) =>
    (findCreateSchema(document).max_tokens.type = 'number'),
  'a request’s field accepts another value': (document) =>
    findCreateSchema(document).llm_provider.enum.push('other'),
  'a request’s field loses its enum': (document) => delete findCreateSchema(document).llm_provider.enum,
  'a request’s field may be longer': (document) => (findCreateSchema(document).name.maxLength = 1000),
  'a response has a new field': ({ components }) => {
    components.schemas.BotRead.properties.tone = { type: 'string' };
    components.schemas.BotRead.required.push('tone');
  },
  'a response’s field is no longer null': (document) => (findReadSchema(document).model.type = 'string'),
  'an example has a value of another type': ({ paths }) =>
    (paths[BOTS].post.responses['201'].content['application/json'].example.type = 'object'),
  'a response’s field gets a new value': (document) => findReadSchema(document).status.enum.push('busy'),
  'a response’s list may have more items': (document) =>
    (findReadSchema(document).starter_questions.maxItems = 7),
  'an error code is added': ({ components, paths }) => {
    components.schemas.Problem.properties.error.properties.code.enum.push('too_early');
    paths[BOTS].get.responses['425'] = paths[BOTS].post.responses['409'];
  },
  'a stream gets a new event': ({ components }) =>
    components.schemas.WidgetEvent.anyOf.push({ title: 'typing', type: 'object', properties: {} }),
  'descriptions and examples change': ({ components, paths }) => {
    components.schemas.BotCreate.description = 'Another one.';
    paths[BOTS].post.summary = 'Another one.';
    paths[BOTS].post.requestBody.content['application/json'].example.name = 'Another one';
  },
  'a schema gets another name': (document) => {
    const { BotRead, ...others } = document.components.schemas;
    document.components.schemas = { ...others, BotReadout: BotRead };
    document.paths = JSON.parse(
      JSON.stringify(document.paths).replaceAll('schemas/BotRead"', 'schemas/BotReadout"'),
    );
    others.PaginatedResponse_BotRead.properties.items.items.$ref = '#/components/schemas/BotReadout';
  },
};

describe('the comparison with released documents', () => {
  const released = buildSmallDocument();
  const compare = (mutate: Mutation) => {
    const current = structuredClone(released);
    mutate(current);
    return findBreakingChanges(released, current);
  };

  for (const [what, mutate] of Object.entries(refused)) {
    itInSoak(`refuses that ${what}`, () => assert.notDeepEqual(compare(mutate), []));
  }

  for (const [what, mutate] of Object.entries(accepted)) {
    itInSoak(`accepts that ${what}`, () => assert.deepEqual(compare(mutate), []));
  }

  it('reports the part that differs, and its position', () => {
    assert.deepEqual(compare(refused['a parameter gets a lower maximum']!), [
      'paths /api/bots get parameters 1 schema maximum: [Replaced] maximum validator in query parameter `page_size`',
    ]);
  });
});

/**
 * Builds an OpenAPI document of a few operations with a few responses each, because comparing the whole
 * document takes seconds.
 */
function buildSmallDocument(): LooseJson {
  const some = operations.filter(
    ({ path, method }) => [BOTS, BOT, UPLOAD, META, STREAM].includes(path) && method !== 'PATCH',
  );
  const document: LooseJson = structuredClone(buildOpenApi(some, 'http://localhost:3000'));
  for (const item of Object.values<LooseJson>(document.paths)) {
    for (const operation of Object.values<LooseJson>(item)) {
      const { 200: ok, 201: created, 409: conflict } = operation.responses;
      operation.responses = { ...(ok ? { 200: ok } : { 201: created }), ...(conflict && { 409: conflict }) };
    }
  }
  findReadSchema(document).starter_questions.maxItems = 6;
  return document;
}

function findParameter(paths: LooseJson, name: string) {
  return paths[BOTS].get.parameters.find((one: { name: string }) => one.name === name);
}

function findFileSchema(paths: LooseJson) {
  return paths[UPLOAD].post.requestBody.content['multipart/form-data'].encoding.file;
}

function findCreateSchema({ components }: LooseJson) {
  return components.schemas.BotCreate.properties;
}

function findReadSchema({ components }: LooseJson) {
  return components.schemas.BotRead.properties;
}

function removeField(schema: LooseJson, name: string): void {
  delete schema.properties[name];
  schema.required = schema.required.filter((one: string) => one !== name);
}

function renameKey(object: LooseJson, from = 'application/json', to = 'application/xml'): void {
  object[to] = object[from];
  delete object[from];
}
