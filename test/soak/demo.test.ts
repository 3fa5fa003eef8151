import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const DEMO = fileURLToPath(new URL('../../dist/demo/demo.js', import.meta.url));
const run = promisify(execFile);

describe('npm run demo', () => {
  const home = makeTemporaryFolder();
  after(() => rmSync(home, { recursive: true, force: true }));

  it('with --keep, starts a Parley if none runs, completes the main task, prints its URLs and keeps running', async () => {
    const demo = spawn(process.execPath, [DEMO, '--keep'], { env: { ...process.env, PARLEY_HOME: home } });
    let output = '';
    for await (const text of demo.stdout.setEncoding('utf8')) {
      output += text;
      if (output.includes('Parley keeps running.')) break;
    }
    assert.match(output, /No Parley is running here, so the demo starts one of its own\./);
    assert.equal(output.match(/ indexed +\d+ passages/g)?.length, 4);
    assert.match(output, /14 of 14 arrived, each signed by Parley/);
    assert.match(output, /^ *All checks passed\.$/m);
    const [, page = ''] = /The bot's chat, on a page +(http:\S+\/demo\?bot=pk_\w+)\n/.exec(output) ?? [];
    assert.match(await (await fetch(page)).text(), /<h1>Harbour Bikes<\/h1>[^]*<script src="\/widget\.js"/);
    const [, consoleUrl = ''] = /The bot, in the console +(http:\S+\/console)#\/bots\//.exec(output) ?? [];
    assert.equal((await fetch(consoleUrl)).status, 200);
    assert.match(output, /Sign in there with the API key +parley_live_\w{36}\n/);
    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    assert.equal((await exited)[0], 0);
  });

  it('completes the main task on its own Parley, stops it, and explains how to keep it running', async () => {
    const { stdout } = await run(process.execPath, [DEMO], {
      env: { ...process.env, PARLEY_HOME: makeTemporaryFolder() },
    });
    assert.match(stdout, /No Parley is running here, so the demo starts one of its own\./);
    assert.equal(stdout.match(/ indexed +\d+ passages/g)?.length, 4);
    assert.match(stdout, /14 of 14 arrived, each signed by Parley/);
    assert.match(
      stdout,
      /To look around in a browser afterwards: npm run demo -- --keep\s+All checks passed\.\s*$/,
    );
  });

  it('fails with a message for invalid arguments', async () => {
    await assert.rejects(run(process.execPath, [DEMO, '--url', 'http://localhost:3000']), {
      code: 1,
      stdout: /Set both --url and --key, or neither\./,
    });
  });
});
