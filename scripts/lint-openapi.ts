// Lints openapi.json with the recommended rules of Redocly and Spectral. Prints the problems, and exits with
// 1 if it finds any.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral, type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { renderOpenApiDocument } from './generate/openapi-document.ts';

const FILE = 'openapi.json';
/**
 * Path of the calendar callback in the OpenAPI document. It has no 2xx response, because it only redirects
 * the browser. Redocly reports this operation; Spectral does not.
 */
const CALLBACK = '#/paths/~1api~1calendar~1{provider}~1callback/get/responses';

const source = renderOpenApiDocument();
const problems = [...(await lintWithRedocly()), ...(await lintWithSpectral())];
for (const problem of problems) process.stderr.write(`${FILE}: ${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

async function lintWithRedocly(): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // Disable this lint rule, because the operator of an installation chooses the server's URL.
      'no-server-example.com': 'off',
      // Disable this lint rule, because it does not see schemas that x-itemSchema uses for the events of a
      // stream.
      'no-unused-components': 'off',
    },
  });
  config.ignore = { [FILE]: { 'operation-2xx-response': new Set([CALLBACK]) } };
  const found = await lintFromString({ source, absoluteRef: FILE, config });
  const problems = found.filter(({ ignored }) => ignored !== true);
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`,
  );
}

async function lintWithSpectral(): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({
    extends: [[oas as RulesetDefinition, 'recommended']],
    // Disable this lint rule, because it takes three quarters of the time. openapi.test.ts validates all
    // examples instead.
    rules: { 'oas3-valid-media-example': 'off' },
  });
  const found = await spectral.run(source);
  return found.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`);
}
