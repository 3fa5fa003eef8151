import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { buildOpenApi } from '../../api/http/openapi/openapi.ts';
import { operations } from '../../api/registry.ts';
import type { LooseJson } from '../support/loose-json.ts';
import { isMultipart, isRaw } from '../../api/http/operation.ts';
import { errorCodes } from '../../core/errors/error-codes.ts';
import { publishedDocument } from '../../scripts/generate/openapi-document.ts';

describe('openapi.json', () => {
  const document = buildOpenApi(operations, 'http://localhost:3000') as LooseJson;
  const ajv = new Ajv2020({ strict: false });
  addFormatsModule.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addSchema(document, 'openapi.json');
  /** Operations share most of their responses: what has been compiled is kept. */
  const validators = new Map<string, ValidateFunction>();
  function validatorOf(schema: LooseJson): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"openapi.json#');
    const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
    validators.set(text, validate);
    return validate;
  }

  it('requires a body only where something in it is required', () => {
    const bodies = operations.filter(({ body }) => body && !isMultipart(body) && !isRaw(body));
    const optional = bodies.filter(
      ({ method, path }) => !document.paths[path][method.toLowerCase()].requestBody.required,
    );
    const expected = bodies.filter(({ body }) => !(body as { required?: string[] }).required?.length);
    assert.deepEqual(
      optional.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
    for (const id of ['rotateApiKey', 'requestWidgetHandoff', 'startWidgetSession', 'deleteMe', 'updateBot'])
      assert.ok(
        optional.some((operation) => operation.id === id),
        id,
      );
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(document);
    assert.ok(valid, JSON.stringify(errors, null, 2));
  });

  it('is checked in as the code makes it; `npm run generate` writes it', () => {
    const checkedIn = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    assert.ok(checkedIn === publishedDocument(), 'openapi.json differs from the registry');
  });

  it('lists every error code', () => {
    assert.deepEqual(
      document.components.schemas.Problem.properties.error.properties.code.enum,
      Object.keys(errorCodes),
    );
  });

  it('refers to nothing that is missing', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path!,
    );
    const missing = references.filter(
      (path) => path.split('/').reduce((node: LooseJson, key) => node?.[key], document) === undefined,
    );
    assert.deepEqual(missing, []);
  });

  it('describes every tag, header, schema and property', () => {
    const { tags, components } = document;
    assert.deepEqual(
      [
        ...undescribed('tags', tags),
        ...undescribed('headers', components.headers),
        ...undescribed('security', components.securitySchemes),
        ...undescribed('responses', components.responses),
        ...Object.entries(components.schemas).flatMap(([name, schema]) => undescribedIn(name, schema, true)),
      ],
      [],
    );
  });

  for (const { id, method, path, isWrite, success } of operations) {
    const operation = document.paths[path][method.toLowerCase()];
    const contents = [
      operation.requestBody,
      ...Object.values<LooseJson>(operation.responses).map(resolve),
    ].flatMap((part) => Object.entries<LooseJson>(part?.content ?? {}));

    it(`${id} is described with its parameters, bodies, responses and their headers`, () => {
      assert.equal(operation.operationId, id);
      assert.ok(operation.summary && operation.description);
      assert.deepEqual(undescribed('parameters', operation.parameters), []);
      for (const [status, response] of Object.entries<LooseJson>(operation.responses)) {
        const { description, headers, content } = resolve(response);
        assert.ok(description, status);
        assert.ok(headers['RateLimit-Remaining'], status);
        const own = new Map([
          ['401', 'WWW-Authenticate'],
          ['429', 'Retry-After'],
          ['503', 'Retry-After'],
        ]).get(status);
        if (own) assert.ok(headers[own], status);
        assert.equal('Idempotent-Replay' in headers, isWrite && Number(status) === success.status, status);
        assert.ok(Object.keys(content).length > 0, status);
      }
      for (const [type, { schema }] of contents) assert.deepEqual(undescribedIn(type, schema), []);
    });

    it(`${id} has examples that fit its schemas`, () => {
      for (const { name, required, in: where, schema, example } of operation.parameters) {
        assert.equal(example !== undefined, required && where !== 'header', `an example of ${name}`);
        if (required) assert.ok(validatorOf(schema)(example), `${name}: ${example}`);
      }
      for (const [type, { schema, example, examples = { one: { value: example } } }] of contents) {
        const validate = validatorOf(schema);
        for (const [name, { value }] of Object.entries<LooseJson>(examples)) {
          assert.notEqual(value, undefined, `${type} has no example`);
          assert.ok(validate(value), `${type} ${name}: ${ajv.errorsText(validate.errors)}`);
        }
      }
    });

    it(`${id} links to operations that have the parameters`, () => {
      for (const response of Object.values<LooseJson>(operation.responses)) {
        for (const { operationId, parameters } of Object.values<LooseJson>(response.links ?? {})) {
          const target = operations.find((one) => one.id === operationId);
          assert.deepEqual(
            Object.keys(parameters),
            [...target!.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
          );
        }
      }
    });
  }

  function resolve(node: LooseJson): LooseJson {
    return node.$ref
      ? node.$ref
          .slice(2)
          .split('/')
          .reduce((at: LooseJson, key: string) => at[key], document)
      : node;
  }
});

function undescribed(kind: string, parts: Record<string, LooseJson> | LooseJson[]): string[] {
  return Object.entries<LooseJson>(parts).flatMap(([key, { name = key, description }]) =>
    description ? [] : [`${kind} ${name}`],
  );
}

/** Paths of properties without a description, and the schema’s own where it must have one. */
function undescribedIn(path: string, schema: LooseJson, needsOwn = false): string[] {
  if (schema.$ref) return [];
  const { properties = {}, anyOf = [], oneOf = [], items } = schema;
  const parts = [...anyOf, ...oneOf, ...(items ? [items] : [])];
  return [
    ...(needsOwn && !schema.description ? [path] : []),
    ...Object.entries(properties).flatMap(([name, one]) => undescribedIn(`${path}.${name}`, one, true)),
    ...parts.flatMap((one) => undescribedIn(`${path}[]`, one)),
  ];
}
