import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { buildOpenApi } from '../../api/http/openapi/openapi.ts';
import type { LooseJson } from '../support/loose-json.ts';
import { isMultipart, isRaw } from '../../api/http/operation.ts';
import { eventNames } from '../../services/webhooks/event-catalog.ts';
import { signDelivery } from '../../services/webhooks/signature.ts';
import { errorCodes } from '../../core/errors/error-codes.ts';
import { publishedDocuments, renderPublishedDocument } from '../../scripts/generate/openapi-document.ts';

for (const [file, operations] of Object.entries(publishedDocuments)) {
  describe(file, () => {
    const document = buildOpenApi(operations, 'http://localhost:3000') as LooseJson;
    const ajv = new Ajv2020({ strict: false });
    addFormatsModule.default(ajv);
    ajv.addFormat('binary', true);
    ajv.addSchema(document, 'openapi.json');
    /** Compiled JSON Schema validators, cached because operations share most of their responses. */
    const validators = new Map<string, ValidateFunction>();
    function findValidator(schema: LooseJson): ValidateFunction {
      const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"openapi.json#');
      const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
      validators.set(text, validate);
      return validate;
    }

    it('requires a body only if a field of the body is required', () => {
      const bodies = operations.filter(({ body }) => body && !isMultipart(body) && !isRaw(body));
      const optional = bodies.filter(
        ({ method, path }) => !document.paths[path][method.toLowerCase()].requestBody.required,
      );
      const expected = bodies.filter(({ body }) => !(body as { required?: string[] }).required?.length);
      assert.deepEqual(
        optional.map(({ id }) => id),
        expected.map(({ id }) => id),
      );
    });

    if (file === 'openapi.json')
      it('lets callers omit a body without required fields', () => {
        const isRequired = (path: string, method: string) =>
          document.paths[path][method].requestBody.required as boolean;
        assert.equal(isRequired('/api/bots/{bot_id}', 'patch'), false);
        assert.equal(isRequired('/api/public/bots/{public_key}/sessions', 'post'), false);
      });

    it('is a valid OpenAPI 3.1 document', async () => {
      const { valid, errors } = await new Validator().validate(document);
      assert.ok(valid, JSON.stringify(errors, null, 2));
    });

    it('is checked in as generated; `npm run generate` writes it', () => {
      const checkedIn = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
      assert.ok(checkedIn === renderPublishedDocument(operations), `${file} differs from the registry`);
    });

    it('lists every error code', () => {
      assert.deepEqual(
        document.components.schemas.Problem.properties.error.properties.code.enum,
        Object.keys(errorCodes),
      );
    });

    it('contains no broken reference', () => {
      const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
        ([, path]) => path!,
      );
      const missing = references.filter(
        (path) => path.split('/').reduce((node: LooseJson, key) => node?.[key], document) === undefined,
      );
      assert.deepEqual(missing, []);
    });

    it('gives the events of streams titles that no other schema has', () => {
      const { schemas } = document.components;
      const events = Object.values<LooseJson>(schemas).flatMap(({ anyOf = [] }) =>
        anyOf.filter((member: LooseJson) => 'x-event' in member),
      );
      const names = [...Object.keys(schemas), ...events.map(({ title }) => title)];
      assert.deepEqual(names, [...new Set(names)]);
      if (file === 'openapi.json') assert.ok(names.includes('WidgetEventMessageStarted'));
    });

    it('describes every tag, header, schema and property', () => {
      const { tags, components } = document;
      assert.deepEqual(
        [
          ...findUndescribedParts('tags', tags),
          ...findUndescribedParts('headers', components.headers),
          ...findUndescribedParts('security', components.securitySchemes),
          ...findUndescribedParts('responses', components.responses),
          ...Object.entries(components.schemas).flatMap(([name, schema]) =>
            findUndescribedProperties(name, schema, true),
          ),
        ],
        [],
      );
    });

    it('has realistic values in the examples of responses', () => {
      const examples = operations.flatMap(({ method, path }) =>
        Object.values<LooseJson>(document.paths[path][method.toLowerCase()].responses)
          .flatMap((response) => Object.values<LooseJson>(resolveReference(response).content ?? {}))
          .map(({ example }) => example as unknown),
      );
      assert.ok(examples.length > 0);
      assert.deepEqual(
        [...new Set(examples.flatMap((example) => findFillers(example)))],
        [],
        'Add a value for each to sampleValues in api/http/openapi/sample-values.ts.',
      );
    });

    const { webhooks = {} } = document;
    for (const [name, { post }] of Object.entries<LooseJson>(webhooks)) {
      it(`describes the webhook ${name} with examples that match its schemas`, () => {
        assert.deepEqual(findUndescribedParts('parameters', post.parameters), []);
        const { schema, example } = post.requestBody.content['application/json'];
        for (const part of [{ schema, example }, ...post.parameters]) {
          const validate = findValidator(part.schema);
          assert.ok(validate(part.example), `${part.name}: ${ajv.errorsText(validate.errors)}`);
        }
        assert.deepEqual(Object.keys(post.responses), ['410', '2XX', 'default']);
        const { title, properties } = resolveReference(schema);
        assert.equal(`${title}Data`, resolveReference(properties.data).title);
        const { example: signature } = post.parameters[0];
        const [, unixSeconds] = /^t=(\d+),v1=/.exec(signature)!;
        assert.equal(signature, signDelivery('whsec_test', Number(unixSeconds), JSON.stringify(example)));
      });
    }

    it('describes the requests of all webhook events in the document with createWebhook', () => {
      const names = operations.some(({ id }) => id === 'createWebhook') ? eventNames : [];
      assert.deepEqual(Object.keys(webhooks), names);
    });

    for (const { id, method, path, isWrite, success } of operations) {
      const operation = document.paths[path][method.toLowerCase()];
      const contents = [
        operation.requestBody,
        ...Object.values<LooseJson>(operation.responses).map(resolveReference),
      ].flatMap((part) => Object.entries<LooseJson>(part?.content ?? {}));

      it(`describes ${id} with its parameters, bodies, responses and headers`, () => {
        assert.equal(operation.operationId, id);
        assert.ok(operation.summary && operation.description);
        assert.deepEqual(findUndescribedParts('parameters', operation.parameters), []);
        for (const [status, response] of Object.entries<LooseJson>(operation.responses)) {
          const { description, headers, content } = resolveReference(response);
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
        for (const [type, { schema }] of contents)
          assert.deepEqual(findUndescribedProperties(type, schema), []);
      });

      it(`has examples of ${id} that match its schemas`, () => {
        for (const { name, required, in: where, schema, example } of operation.parameters) {
          assert.equal(example !== undefined, required && where !== 'header', `an example of ${name}`);
          if (required) assert.ok(findValidator(schema)(example), `${name}: ${example}`);
        }
        for (const [type, { schema, example, examples = { one: { value: example } } }] of contents) {
          const validate = findValidator(schema);
          for (const [name, { value }] of Object.entries<LooseJson>(examples)) {
            assert.notEqual(value, undefined, `${type} has no example`);
            assert.ok(validate(value), `${type} ${name}: ${ajv.errorsText(validate.errors)}`);
          }
        }
      });

      it(`links ${id} to operations that have the parameters`, () => {
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

    function resolveReference(node: LooseJson): LooseJson {
      return node.$ref
        ? node.$ref
            .slice(2)
            .split('/')
            .reduce((at: LooseJson, key: string) => at[key], document)
        : node;
    }
  });
}

function findUndescribedParts(kind: string, parts: Record<string, LooseJson> | LooseJson[]): string[] {
  return Object.entries<LooseJson>(parts).flatMap(([key, { name = key, description }]) =>
    description ? [] : [`${kind} ${name}`],
  );
}

/** Returns the paths of a schema's properties without a description; with `needsOwn` also the schema itself. */
function findUndescribedProperties(path: string, schema: LooseJson, needsOwn = false): string[] {
  if (schema.$ref) return [];
  const { properties = {}, anyOf = [], oneOf = [], items } = schema;
  const parts = [...anyOf, ...oneOf, ...(items ? [items] : [])];
  return [
    ...(needsOwn && !schema.description ? [path] : []),
    ...Object.entries(properties).flatMap(([name, one]) =>
      findUndescribedProperties(`${path}.${name}`, one, true),
    ),
    ...parts.flatMap((one) => findUndescribedProperties(`${path}[]`, one)),
  ];
}

/** Returns the fields of an example whose value only repeats the name of the field. */
function findFillers(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => findFillers(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => findFillers(member, key));
  return value === name.replaceAll('_', ' ') ? [name] : [];
}
