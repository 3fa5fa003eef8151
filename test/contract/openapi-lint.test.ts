import assert from 'node:assert/strict';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiDocument } from '../../scripts/generate/openapi-document.ts';

describe('openapi.json by Redocly’s recommended rules', () => {
  it('has neither errors nor warnings', async () => {
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
});
