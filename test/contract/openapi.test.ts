import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildOpenApi } from '../../api/http/openapi.ts';
import { isContentSpec, isMultipart } from '../../api/http/operation.ts';
import { exampleOf } from '../../api/http/schema-example.ts';
import { compileResponseCheck } from '../../api/http/validate.ts';
import { operations } from '../../api/registry.ts';
import { errorCodes } from '../../core/error-codes.ts';
import { openApiDocument } from '../../scripts/generate/openapi-document.ts';

describe('openapi.json', () => {
  const document = buildOpenApi(operations, 'http://localhost:3000') as any;

  it('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(document);
    assert.ok(valid, JSON.stringify(errors, null, 2));
  });

  it('is checked in as the code makes it; `npm run generate` writes it', () => {
    const checkedIn = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    assert.ok(checkedIn === openApiDocument(), 'openapi.json differs from the registry');
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
      (path) => path.split('/').reduce((node: any, key) => node?.[key], document) === undefined,
    );
    assert.deepEqual(missing, []);
  });

  for (const { id, method, path, body, success } of operations) {
    const described = document.paths[path][method.toLowerCase()];

    it(`${id} is described with its parameters, answers and their headers`, () => {
      assert.equal(described.operationId, id);
      for (const parameter of described.parameters) assert.ok(parameter.description, parameter.name);
      const { description, content, headers } = described.responses[success.status];
      assert.ok(description);
      assert.ok(headers['RateLimit-Remaining']);
      assert.ok(Object.keys(content).length > 0);
    });

    it(`${id} has examples that fit its schemas`, () => {
      const { spec } = success;
      const answers = isContentSpec(spec) ? Object.values(spec.content) : [spec];
      for (const answer of answers) {
        if (answer) assert.equal(compileResponseCheck(answer)(exampleOf(answer, 'response')), null);
      }
      if (body && !isMultipart(body))
        assert.equal(compileResponseCheck(body)(exampleOf(body, 'request')), null);
    });
  }
});
