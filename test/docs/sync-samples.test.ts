import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parseGuideBlocks } from '../support/guides/guide-blocks.ts';
import { buildBot } from '../support/build-bot.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { findPythonForSdk, withSdkInPlace } from '../support/python-sdk.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const SDK = pathToFileURL('sdk/typescript/src/index.ts').href;
const TSX = import.meta.resolve('tsx');
const run = promisify(execFile);

describe('the samples of docs/knowledge.md that sync a folder', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  const readSample = (title: string): string => {
    const blocks = parseGuideBlocks(readFileSync('docs/knowledge.md', 'utf8'));
    return blocks.find((block) => block.title === title)?.code ?? assert.fail(title);
  };

  /**
   * Runs a sample program that synchronizes a folder, twice; before the second time, one file is deleted and
   * one is added.
   */
  async function syncTwice(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    const { key, client, bot } = await buildBot(parley);
    const cwd = makeTemporaryFolder();
    const sync = async () => {
      const variables = { ...env, PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key, BOT_ID: bot.id };
      await run(program, [...args], { cwd, env: variables });
      const { body } = await client.get(`/api/ext/bots/${bot.id}/documents`);
      for (const { status, tags } of body.items) assert.deepEqual([status, tags], ['indexed', ['handbook']]);
      return body.items.map((document) => document.external_id).toSorted();
    };
    mkdirSync(join(cwd, 'handbook/rides'), { recursive: true });
    writeFileSync(join(cwd, 'handbook/a.png'), '\x89PNG\r\n\x1a\n', 'latin1');
    for (const name of ['a.md', 'b.md', 'rides/harbor.md'])
      writeFileSync(join(cwd, 'handbook', name), `# ${name}`);
    const first = await sync();
    rmSync(join(cwd, 'handbook/a.md'));
    writeFileSync(join(cwd, 'handbook/c.md'), '# c.md');
    return [first, await sync()];
  }

  const expected = [
    ['handbook/a.md', 'handbook/b.md', 'handbook/rides/harbor.md'],
    ['handbook/b.md', 'handbook/c.md', 'handbook/rides/harbor.md'],
  ];

  it('add and remove documents of files in subfolders, and go on after a refused file, in TypeScript', async () => {
    const file = join(makeTemporaryFolder(), 'sync.mts');
    writeFileSync(file, readSample('sync.ts').replace("'parley-sdk'", `'${SDK}'`));
    assert.deepEqual(await syncTwice(process.execPath, ['--import', TSX, file], process.env), expected);
  });

  it('add and remove documents of files in subfolders, and go on after a refused file, in Python', async function () {
    const python = findPythonForSdk() ?? this.skip();
    assert.deepEqual(await syncTwice(python, ['-c', readSample('sync.py')], withSdkInPlace), expected);
  });
});
