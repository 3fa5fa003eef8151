import { readFileSync } from 'node:fs';
import { resolvePythonSdkPath, JsonLines, findPythonForSdk, withSdkInPlace } from '../support/python-sdk.ts';
import { isInSoak } from '../support/it-in-soak.ts';
import { itRunsScenarios } from './run-scenarios.ts';
import type { ScenarioOutcome } from './scenarios.ts';

const [, version = ''] =
  /"(.+)"/.exec(readFileSync(resolvePythonSdkPath('src/parley/_version.py'), 'utf8')) ?? [];

/** Kinds of Python clients to test: a whole `npm test` tries one of the two, soak tries both. */
const kinds = isInSoak ? ['sync', 'async'] : ['async'];

for (const kind of kinds)
  describe(`the Python SDK on faulty connections, ${kind}`, () => {
    let driver: JsonLines;

    before(function () {
      const python = findPythonForSdk();
      if (python === undefined) this.skip();
      driver = new JsonLines(
        python,
        [resolvePythonSdkPath('tests/scenario_driver.py'), kind],
        withSdkInPlace,
      );
    });
    after(() => driver?.end());

    itRunsScenarios(
      async (input) => (await driver.ask(input)) as ScenarioOutcome,
      `parley-sdk-python/${version}`,
    );
  });
