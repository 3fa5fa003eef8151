import { readFileSync } from 'node:fs';
import { resolvePythonSdkPath, JsonLines, findPythonForSdk, withSdkInPlace } from '../support/python-sdk.ts';
import { itRunsScenarios } from './run-scenarios.ts';
import type { ScenarioOutcome } from './scenarios.ts';

const [, version = ''] =
  /"(.+)"/.exec(readFileSync(resolvePythonSdkPath('src/parley/_version.py'), 'utf8')) ?? [];

for (const kind of ['sync', 'async'])
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
