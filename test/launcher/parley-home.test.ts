import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ParleyHome } from '../../scripts/launcher/parley-home.ts';
import { LaunchError } from '../../scripts/launcher/launch-error.ts';
import { identifyProcess, isRunning } from '../../scripts/launcher/process-identity.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

describe('PARLEY_HOME', () => {
  let folder: string;
  let home: ParleyHome;

  beforeEach(() => {
    folder = makeTemporaryFolder();
    home = new ParleyHome(folder);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('belongs to one launcher at a time', () => {
    home.lock();
    assert.throws(() => new ParleyHome(folder).lock(), {
      name: 'LaunchError',
      message: new RegExp(`^Parley is already running in ${folder} \\(process ${process.pid}\\)\\.`),
    });
    home.unlock();
    new ParleyHome(folder).lock();
  });

  it('is refused with an explanation if its path is a file, or leads through a file', () => {
    const file = join(folder, 'q.csv');
    writeFileSync(file, '');
    for (const [path, message] of [
      [file, `PARLEY_HOME ${file} is a file, not a folder.`],
      [join(file, 'home'), `A part of the path PARLEY_HOME ${join(file, 'home')} is a file, not a folder.`],
    ] as const)
      assert.throws(() => new ParleyHome(path).lock(), { name: 'LaunchError', message });
  });

  it('is free again after its owner has ended, even if another program has the owner’s pid', () => {
    const reused = { ...identifyProcess(process.pid), startedAt: 'before' };
    for (const stale of [
      JSON.stringify(reused),
      JSON.stringify({ pid: 2 ** 22 + 1, startedAt: 'x' }),
      '',
      '{"pid":',
    ]) {
      writeFileSync(join(folder, 'launcher.lock'), stale);
      home.lock();
      const { pid } = JSON.parse(readFileSync(join(folder, 'launcher.lock'), 'utf8')) as { pid: number };
      assert.equal(pid, process.pid);
      home.unlock();
    }
  });

  it('stores secrets that only their owner can read', () => {
    const secrets = home.secrets();
    assert.deepEqual(new ParleyHome(folder).secrets(), secrets);
    assert.equal(Buffer.from(secrets.masterKey, 'base64').length, 32);
    assert.equal(statSync(join(folder, 'secrets.json')).mode & 0o777, 0o600);
  });

  it('throws an error instead of creating secrets if a database exists without them', () => {
    mkdirSync(join(folder, 'postgres'));
    assert.throws(() => home.secrets(), LaunchError);
  });

  it('gives other commands the settings of the running Parley, but not of a Parley that has ended', () => {
    home.writeRuntime({ PORT: '1' });
    assert.deepEqual(home.readRunningEnvironment(), { PORT: '1' });
    const file = join(folder, 'runtime.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"startedAt":"/, '$&x'));
    assert.deepEqual(home.readRunningEnvironment(), {});
  });

  it('waits for the processes that a killed launcher has left running', async () => {
    const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 300)'], { stdio: 'ignore' });
    const identity = identifyProcess(left.pid!);
    mkdirSync(join(folder, 'run'));
    writeFileSync(join(folder, 'run', 'api.json'), JSON.stringify([identity]));
    const said: string[] = [];
    await home.clearLeftovers((line) => said.push(line));
    assert.equal(isRunning(identity!), false);
    assert.deepEqual(said, ['The previous run was killed; waiting for its processes to end.']);
    assert.equal(existsSync(join(folder, 'run', 'api.json')), false);
  });
});
