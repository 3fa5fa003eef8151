import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const DEMO = fileURLToPath(new URL('../../dist/demo/demo.js', import.meta.url));
const run = promisify(execFile);

describe('npm run demo', () => {
  const home = makeTemporaryFolder();
  after(() => rmSync(home, { recursive: true, force: true }));

  it('starts a Parley where none runs, and shows the main job to its end', async () => {
    const { stdout } = await run(process.execPath, [DEMO], { env: { ...process.env, PARLEY_HOME: home } });
    assert.match(stdout, /No Parley is running here, so the demo starts one of its own\./);
    assert.equal(stdout.match(/ indexed +\d+ passages/g)?.length, 4);
    assert.match(stdout, /14 of 14 came, each signed by Parley/);
    assert.match(stdout, /Everything held\.\s*$/);
  });

  it('says what is wrong with its arguments, and fails', async () => {
    await assert.rejects(run(process.execPath, [DEMO, '--url', 'http://localhost:3000']), {
      code: 1,
      stdout: /--url and --key belong together\./,
    });
  });
});
