import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { generateApiKey } from '../../../adapters/keys/api-key.ts';
import { runCommandLine } from '../../../scripts/cli/command-line.ts';
import { waitUntilGone } from '../../../scripts/launcher/process-identity.ts';
import { LaunchedParley, findPortSettings } from '../../support/launched-parley.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startReceiver, type Receiver } from '../../webhooks/receiver.ts';

const READY = 'Press Ctrl-C to stop.';
const TEXT = 'A day pass costs 12 euros.';
const KEY = generateApiKey();

describe('backup and restore with npm start:', function () {
  this.timeout(300_000);
  const home = makeTemporaryFolder();
  const backup = join(makeTemporaryFolder(), 'backup');
  let ports: Record<string, string>;
  let parley: LaunchedParley;
  let receiver: Receiver;
  let isReceiverUp = false;

  before(async () => {
    ports = await findPortSettings();
    receiver = await startReceiver((response) => {
      response.statusCode = isReceiverUp ? 204 : 500;
      response.end();
    });
  });

  after(async () => {
    parley.signal('SIGKILL');
    await waitUntilGone(parley.listRunningProcesses(), 10_000);
    await receiver.close();
  });

  function launch(folder: string): LaunchedParley {
    return LaunchedParley.launch(folder, {
      ...ports,
      PARLEY_BOOTSTRAP_API_KEY: KEY,
      PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8',
      webhookRetrySchedule: '15,15,15,15',
    });
  }

  async function call<T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
    const response = await fetch(`${parley.baseUrl}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  async function runCommand(args: string[], env: Record<string, string>) {
    let stderr = '';
    const code = await runCommandLine(args, {
      env,
      report: () => {},
      reportError: (line) => void (stderr += `${line}\n`),
    });
    return { code, stderr };
  }

  /** Creates bots through the API until it is stopped. */
  function startWriting(): { created: string[]; stop(): Promise<void> } {
    const created: string[] = [];
    let isStopped = false;
    const writing = (async () => {
      while (!isStopped) created.push((await call<{ id: string }>('/bots', { name: 'Written' })).id);
    })();
    return {
      created,
      stop: () => {
        isStopped = true;
        return writing;
      },
    };
  }

  it('a backup that was made during writes restores rows, documents and a pending delivery into a new folder', async () => {
    parley = launch(home);
    await parley.waitForOutput(READY);
    const bot = await call<{ id: string; public_key: string }>('/bots', {
      name: 'Harbour Bikes',
      strict_kb_mode: true,
    });
    const knowledge = `/bots/${bot.id}/knowledge`;
    const document = await call<{ id: string }>(knowledge, { source_type: 'raw_text', raw_text: TEXT });
    const isIndexed = async () =>
      (await call<{ status: string }>(`${knowledge}/${document.id}/status`)).status === 'indexed';
    await waitUntil(isIndexed, 'the document to be indexed');
    await call(`/bots/${bot.id}`, { status: 'active' }, 'PATCH');
    await call('/webhooks', { url: receiver.url, events: ['conversation.started'] });
    await call(`/public/bots/${bot.public_key}/sessions`, {});
    await waitUntil(() => receiver.requests.length > 0, 'the first attempt');

    const writes = startWriting();
    await waitUntil(() => writes.created.length >= 5, 'some bots');
    const committed = [...writes.created];
    const saved = await runCommand(['backup', backup], { PARLEY_HOME: home });
    const total = writes.created.length;
    await writes.stop();
    assert.equal(saved.code, 0, saved.stderr);
    assert.ok(total > committed.length, 'bots were created during the backup');
    const { masterKey } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as {
      masterKey: string;
    };

    const running = await runCommand(['restore', backup, '--replace'], { PARLEY_HOME: home });
    assert.equal(running.code, 1);
    assert.match(running.stderr, /^Parley is already running in /);
    parley.signal('SIGTERM');
    await parley.exited;
    const occupied = await runCommand(['restore', backup], {
      PARLEY_HOME: home,
      PARLEY_MASTER_KEY: masterKey,
    });
    assert.equal(occupied.code, 1);
    assert.match(
      occupied.stderr,
      / already contains secrets\.json, files, temporal\.db, .*postgres\. Use an empty folder/,
    );

    const fresh = makeTemporaryFolder();
    const restored = await runCommand(['restore', backup], {
      PARLEY_HOME: fresh,
      PARLEY_MASTER_KEY: masterKey,
    });
    assert.equal(restored.code, 0, restored.stderr);
    isReceiverUp = true;
    const attempts = receiver.requests.length;
    parley = launch(fresh);
    await parley.waitForOutput(READY);
    for (const id of committed) assert.equal((await call<{ name: string }>(`/bots/${id}`)).name, 'Written');
    const { content } = await call<{ content: string }>(`/bots/${bot.id}/playground`, {
      message: 'What does a day pass cost?',
    });
    assert.match(content, /^A day pass costs 12 euros\./);
    const { url } = await call<{ url: string }>(`${knowledge}/${document.id}/download`);
    assert.equal(await (await fetch(url)).text(), TEXT);
    await waitUntil(() => receiver.requests.length > attempts, 'the pending delivery', 60_000);
    const [first, last] = [receiver.requests[0], receiver.requests.at(-1)];
    assert.equal(last?.body, first?.body);
  });

  it('restore --replace moves the existing data aside', async () => {
    parley.signal('SIGTERM');
    await parley.exited;
    const { code, stderr } = await runCommand(['restore', backup, '--replace'], {
      PARLEY_HOME: home,
      PARLEY_MASTER_KEY: (
        JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as { masterKey: string }
      ).masterKey,
    });
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /^The previous data is in .*replaced-.*\. Delete it once the restored Parley works\.$/m,
    );
    rmSync(home, { recursive: true, force: true });
  });
});
