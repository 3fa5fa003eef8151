import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractCodeBlocks } from '../../support/code-blocks.ts';
import { buildSamplesModule } from '../../support/code-samples.ts';
import {
  resolvePythonSdkPath,
  runProgram,
  findPythonForSdk,
  findPythonWithPyright,
  findPythonWithTool,
  runPython,
  withSdkInPlace,
} from '../../support/python-sdk.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../../support/worker.ts';
import { isInSoak } from '../../support/it-in-soak.ts';

describe('the Python SDK', () => {
  it('passes its own tests against an in-memory server', function () {
    const python = findPythonForSdk() ?? this.skip();
    const tests = [
      '-W',
      'error::ResourceWarning',
      '-m',
      'unittest',
      'discover',
      '-s',
      resolvePythonSdkPath('tests'),
    ];
    runProgram(python, tests, { env: withSdkInPlace });
  });

  it('imports models and resources only when they are used', function () {
    const python = findPythonForSdk() ?? this.skip();
    const script =
      'import sys, parley; print(sorted(name for name in sys.modules if "_generated" in name or name in ("asyncio", "anyio")))';
    assert.equal(
      runProgram(python, ['-c', script], { env: withSdkInPlace }).trim(),
      "['parley._generated', 'parley._generated.client', 'parley._generated.version']",
    );
  });
});

const readme = extractCodeBlocks(readFileSync(resolvePythonSdkPath('README.md'), 'utf8'), 'python');

describe('the Python package, installed in an empty environment,', () => {
  const folder = makeTemporaryFolder();
  const python = join(folder, 'environment', 'bin', 'python');

  const strict = [
    '-m',
    'mypy',
    '--strict',
    '--cache-dir',
    join(folder, 'mypy'),
    '--python-executable',
    python,
  ];

  before(function () {
    if (!isInSoak) return;
    const builder = findPythonWithTool('hatchling') ?? this.skip();
    runProgram(builder, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], {
      cwd: resolvePythonSdkPath(''),
    });
    const [wheel = ''] = readdirSync(folder).filter((name) => name.endsWith('.whl'));
    runProgram('python3', ['-m', 'venv', join(folder, 'environment')]);
    runProgram(python, ['-m', 'pip', 'install', '--quiet', join(folder, wheel)]);
  });

  it('passes mypy in strict mode, which finds mistakes of callers', function () {
    const mypy = findPythonWithTool('mypy') ?? this.skip();
    const blocks = readme.map((block, index) => {
      const file = join(folder, `readme_${index + 1}.py`);
      writeFileSync(file, block);
      return file;
    });
    const samples = join(folder, 'samples.py');
    writeFileSync(samples, buildSamplesModule('Python'));
    runProgram(mypy, [...strict, resolvePythonSdkPath('tests/typed_usage.py'), samples, ...blocks]);
  });

  it('passes mypy for the oldest supported Python', function () {
    const mypy = findPythonWithTool('mypy') ?? this.skip();
    runProgram(mypy, [...strict, '--python-version', '3.10', '-p', 'parley']);
  });

  it('passes pyright, which finds the same mistakes', function () {
    const pyright = findPythonWithPyright() ?? this.skip();
    const checkTypes = (include: string, mode: 'strict' | 'standard') => {
      const config = join(folder, `pyright-${mode}.json`);
      const rules = { typeCheckingMode: mode, reportUnnecessaryTypeIgnoreComment: mode === 'strict' };
      writeFileSync(config, JSON.stringify({ include: [include], pythonVersion: '3.10', ...rules }));
      runProgram(pyright, ['-m', 'pyright', '--pythonpath', python, '-p', config]);
    };
    writeFileSync(join(folder, 'usage.py'), readFileSync(resolvePythonSdkPath('tests/typed_usage.py')));
    checkTypes('usage.py', 'strict');
    const [packages = ''] = runProgram(python, ['-c', 'import parley; print(parley.__path__[0])']).split(
      '\n',
    );
    cpSync(packages, join(folder, 'package', 'parley'), { recursive: true });
    checkTypes('package', 'standard');
  });

  describe('has a README', () => {
    const cwd = makeTemporaryFolder();
    let parley: SharedParleyWithWorker;
    let env: NodeJS.ProcessEnv;

    before(async () => {
      if (!isInSoak) return;
      parley = await startSharedParleyWithWorker();
      const { key } = await parley.buildOrg();
      env = { ...process.env, PARLEY_API_KEY: key, PARLEY_URL: parley.baseUrl };
    });

    const shown = [
      /^[^]*12 euros[^]*\nSources: \['[^']+'\]\n$/,
      /^Harbour Bikes \['[^']+'\]\n$/,
      /^\['Harbour Bikes'\] 1 False\n$/,
      /^validation_error \['name: .+', 'temperature: .+'\]\n.+ req_\w+\n$/,
      /12 euros/,
      /12 euros/,
      /^$/,
      /^$/,
    ];
    for (const [index, block] of readme.entries())
      it(`whose block ${index + 1} runs and prints the shown output`, async () => {
        assert.match(
          await runPython(python, block, { cwd, env }),
          shown[index] ?? assert.fail('Nothing is expected.'),
        );
      });

    it('with as many blocks as this file runs', () => assert.equal(readme.length, shown.length));
  });
});
