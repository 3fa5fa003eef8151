import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { loadSettings } from '../../core/settings/settings.ts';
import { Launcher } from '../../scripts/launcher/launcher.ts';
import { isRunning, waitUntilGone } from '../../scripts/launcher/process-identity.ts';
import { findTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { LaunchedParley, findPortSettings } from '../support/launched-parley.ts';
import { sendRaw } from '../support/raw-http.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const READY = 'Press Ctrl-C to stop.';

describe('npm start', function () {
  const home = makeTemporaryFolder();
  let ports: Record<string, string>;
  let parley: LaunchedParley;

  before(async () => {
    ports = await findPortSettings();
  });

  afterEach(async function () {
    if (this.currentTest?.isFailed()) process.stderr.write(parley.output);
  });

  after(async () => {
    parley.signal('SIGKILL');
    await waitUntilGone(parley.listRunningProcesses(), 10_000);
    rmSync(home, { recursive: true, force: true });
  });

  it('shows the addresses, a setup link that works and a valid key', async () => {
    parley = LaunchedParley.launch(home, ports);
    await parley.waitForOutput(READY);
    assert.match(parley.output, new RegExp(`API +${parley.baseUrl}/api\n`));
    assert.match(parley.output, new RegExp(`Console +${parley.baseUrl}/console\n`));
    assert.match(parley.output, new RegExp(`Demo page +${parley.baseUrl}/demo\n`));
    assert.match(await (await fetch(`${parley.baseUrl}/demo`)).text(), /No bot is active yet/);
    assert.match(parley.output, new RegExp(`Guides +${parley.baseUrl}/docs/guides\n`));
    assert.match(parley.output, new RegExp(`Reference +${parley.baseUrl}/docs\n`));
    assert.match(parley.output, /Temporal UI +http:\/\/127\.0\.0\.1:\d+\n/);
    const [, mails = ''] =
      /Emails +(http:\/\/localhost:\d+\/dev\/mail\?token=\S+)\n/.exec(parley.output) ?? [];
    const opened = await fetch(mails, { redirect: 'manual' });
    assert.deepEqual([opened.status, opened.headers.get('location')], [303, '/dev/mail']);
    assert.doesNotMatch(parley.output, /Password/);
    const [, setup = ''] = /Set up +(http:\S+)\n/.exec(parley.output) ?? [];
    const { origin, pathname, hash } = new URL(setup);
    assert.deepEqual([origin, pathname], [parley.baseUrl, '/welcome']);
    const [, apiKey = ''] = /API key +(parley_live_\w{36})\n/.exec(parley.output) ?? [];
    const bots = await fetch(`${parley.baseUrl}/api/bots`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    assert.equal(bots.status, 200);
    const done = await fetch(`${parley.baseUrl}/api/ext/first-run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        token: hash.replace('#token=', ''),
        full_name: 'Ada Okafor',
        email: 'ada@example.com',
        password: 'three blue lamps at noon',
        workspace_name: 'Acme',
      }),
    });
    assert.equal(done.status, 200);
  });

  it('shows Temporal’s UI only to requests addressed to this machine', async () => {
    const [, ui = ''] = /Temporal UI +(http:\S+)\n/.exec(parley.output) ?? [];
    const statusFor = async (host: string): Promise<number> => {
      const head = `GET /api/v1/namespaces HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      return (await sendRaw(ui, { parts: [head] })).status;
    };
    const { environment } = JSON.parse(readFileSync(join(home, 'runtime.json'), 'utf8')) as {
      environment: Record<string, string>;
    };
    assert.equal(environment['PARLEY_TEMPORAL_UI_URL'], ui);
    const { port } = new URL(ui);
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      await waitUntil(
        async () => (await statusFor(`${host}:${port}`)) === 200,
        `the UI to answer to ${host}`,
      );
    for (const host of ['evil.example', `evil.example:${port}`, '0.0.0.0'])
      assert.equal(await statusFor(host), 421, host);
  });

  it('serves Temporal’s metrics on a port to which web pages cannot send anything', async () => {
    const [, temporal] = parley.readProcesses('temporal');
    const options = readFileSync(`/proc/${temporal!.pid}/cmdline`, 'utf8').split('\0');
    const metrics = `http://127.0.0.1:${options[options.indexOf('--metrics-port') + 1]}/metrics`;
    const parts = ['GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'];
    assert.equal((await sendRaw(metrics, { parts })).status, 200);
    const refusal = await fetch(metrics).then(String, ({ cause }: Error) => (cause as Error).message);
    assert.equal(refusal, 'bad port');
  });

  it('stores secrets that only its user can read', () => {
    for (const file of ['secrets.json', 'runtime.json', 'temporal.db']) {
      assert.equal(statSync(join(home, file)).mode & 0o077, 0, file);
    }
  });

  it('refuses a second instance on the same folder, and names folder and process', async () => {
    const second = LaunchedParley.launch(home, await findPortSettings());
    assert.equal((await second.exited).code, 1);
    assert.equal(
      second.output.trim().split('\n')[0],
      `Parley is already running in ${home} (process ${parley.pid}).`,
    );
  });

  it('refuses a busy port, and names the port and its setting', async () => {
    const other = makeTemporaryFolder();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const refusal = (setting: string) =>
      new RegExp(
        `^\\s*Port ${port}, meant for .+, is already in use\\. Free the port, or set ${setting} to another port\\.\\s*$`,
      );
    for (const setting of ['DATABASE_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']) {
      const settings = { PARLEY_HOME: other, ...(await findPortSettings()), [setting]: String(port) };
      const launcher = new Launcher(loadSettings(settings), () => {});
      await assert.rejects(launcher.run(), { name: 'LaunchError', message: refusal(setting) });
      await launcher.stop();
    }
    const refused = LaunchedParley.launch(other, { ...(await findPortSettings()), PORT: String(port) });
    assert.equal((await refused.exited).code, 1);
    assert.match(refused.output, refusal('PORT'));
    assert.deepEqual(refused.listRunningProcesses(), []);
    taken.close();
    rmSync(other, { recursive: true });
  });

  it('refuses unknown and invalid settings, and names them', async () => {
    const refused = LaunchedParley.launch(home, {
      ...ports,
      PARLEY_COLOUR: 'red',
      PARLEY_DATABASE_POOL: 'many',
    });
    assert.equal((await refused.exited).code, 1);
    assert.match(refused.output, /PARLEY_COLOUR is not a setting of Parley/);
    assert.match(refused.output, /PARLEY_DATABASE_POOL must be a whole number/);
  });

  itInSoak('serves its API while Temporal is still being downloaded', async () => {
    const other = makeTemporaryFolder();
    const settings: Record<string, string> = { PARLEY_HOME: other, ...(await findPortSettings()) };
    const binary = await findTemporalBinary({ env: process.env });
    let finishObtaining!: (program: string) => void;
    const obtained = new Promise<string>((resolve) => (finishObtaining = resolve));
    const said: string[] = [];
    const launcher = new Launcher(loadSettings(settings), (line) => said.push(line), {
      find: async () => undefined,
      obtain: () => obtained,
    });
    const failed = launcher.run();
    failed.catch(() => {});
    const all = () => said.join('\n');
    await waitUntil(() => all().includes('API key'), 'the key');
    assert.deepEqual(said[0]?.split('\n'), [
      'Parley needs a Temporal server to run workflows. Installing one on this machine:',
      'a download takes seconds; if it fails, building it with Go takes two to four minutes on two cores.',
      'Everything else starts in the meantime. To use an existing program, set PARLEY_TEMPORAL_BINARY.',
    ]);
    const [, key = ''] = /API key +(parley_live_\w{36})/.exec(all()) ?? [];
    const created = await fetch(`http://localhost:${settings['PORT']}/api/bots`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Early' }),
    });
    assert.equal(created.status, 201);
    assert.doesNotMatch(all(), /Parley is ready/);
    finishObtaining(binary!);
    await waitUntil(() => all().includes(READY), 'the end of the start');
    assert.equal(all().split('/welcome#token=').length, 2);
    await launcher.stop();
    rmSync(other, { recursive: true });
  });

  for (const [name, label] of [
    ['api', 'The API'],
    ['temporal', 'Temporal'],
  ] as const) {
    it(`restarts ${label.replace('The', 'the')} after it was killed`, async () => {
      const [, killed] = parley.readProcesses(name);
      process.kill(killed!.pid, 'SIGKILL');
      await parley.waitForOutput(`${label} ended unexpectedly (signal SIGKILL). Restarting it.`);
      await parley.waitForOutput(`${label} is running again.`);
      assert.equal((await fetch(`${parley.baseUrl}/api/health/ready`)).status, 200);
    });
  }

  it('stops at SIGTERM and leaves no process, even if some were killed', async () => {
    const processes = parley.listRunningProcesses();
    assert.equal(processes.length, 8);
    for (const name of ['worker', 'temporal'])
      process.kill(parley.readProcesses(name).find(isRunning)!.pid, 'SIGKILL');
    const startedAt = Date.now();
    parley.signal('SIGTERM');
    assert.deepEqual(await parley.exited, { code: 0, signal: null });
    assert.ok(Date.now() - startedAt < 30_000, `it took ${Date.now() - startedAt} ms`);
    assert.deepEqual(processes.filter(isRunning), []);
  });
});
