import assert from 'node:assert/strict';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral, type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { openApiDocument } from '../../scripts/generate/openapi-document.ts';

describe('openapi.json', () => {
  it('has neither errors nor warnings by Redocly’s recommended rules', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // Whoever installs Parley decides where it is.
        'no-server-example.com': 'off',
        // The rule does not follow x-itemSchema, which names the events of a stream.
        'no-unused-components': 'off',
      },
    });
    const problems = await lintFromString({ source: openApiDocument(), absoluteRef: 'openapi.json', config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`),
      [],
    );
  });

  it('has neither errors nor warnings by Spectral’s recommended rules for OpenAPI', async () => {
    const spectral = new Spectral();
    spectral.setRuleset({
      extends: [[oas as RulesetDefinition, 'recommended']],
      // Compiles each schema for each example, at three quarters of the time; openapi.test.ts validates them all.
      rules: { 'oas3-valid-media-example': 'off' },
    });
    const problems = await spectral.run(openApiDocument());
    assert.deepEqual(
      problems.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`),
      [],
    );
  });
});
