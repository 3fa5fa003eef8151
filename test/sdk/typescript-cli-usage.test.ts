import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { UsageError } from '../../sdk/typescript/src/cli/command.ts';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { explain, writeBody, writeText } from '../../sdk/typescript/src/cli/files.ts';
import { findNearest } from '../../sdk/typescript/src/cli/nearest.ts';
import { terminal } from './command-line.ts';

const env = { PARLEY_URL: 'http://127.0.0.1:1', PARLEY_API_KEY: 'parley_live_0' };

describe('wrong usage of `parley`', () => {
  const { run, home } = terminal(env);
  const folder = join(home, 'folder');
  const missing = join(home, 'missing.json');
  before(() => {
    mkdirSync(folder);
    writeFileSync(join(home, 'file'), '');
  });

  const refuse = async (args: string[]) => {
    const { code, out, err } = await run(args);
    assert.deepEqual([code, out], [exitCodes.usage, '']);
    return err;
  };

  for (const args of [
    ['flows', 'check'],
    ['flows', 'push'],
    ['flows', 'run'],
    ['knowledge', 'add', 'b1'],
    ['api', 'uploadDocument', 'b1', '--file'],
  ])
    it(`${args.join(' ')} names a file that is missing, and a folder`, async () => {
      assert.equal(await refuse([...args, missing]), `There is no file ${missing}.\n`);
      assert.equal(await refuse([...args, folder]), `${folder} is a folder, and not a file.\n`);
    });

  it('names the file of --body', async () => {
    const body = ['api', 'createBot', '--body'];
    assert.equal(await refuse([...body, `@${missing}`]), `There is no file ${missing}.\n`);
    const inFile = join(home, 'file', 'a.json');
    assert.equal(await refuse([...body, `@${inFile}`]), `A part of ${inFile} is a file, and not a folder.\n`);
  });

  it('names a file that cannot be written', async () => {
    const inMissing = join(home, 'none', 'a.json');
    const message = `The folder of ${inMissing} does not exist.`;
    assert.throws(() => writeText(inMissing, ''), new UsageError(message));
    await assert.rejects(writeBody(inMissing, Readable.from([])), new UsageError(message));
    await assert.rejects(
      writeBody(folder, Readable.from([])),
      new UsageError(`${folder} is a folder, and not a file.`),
    );
    const broken = new Error('broken');
    await assert.rejects(writeBody(join(home, 'b'), Readable.from(failWith(broken))), broken);
  });

  it('has words for the other errors of file systems', () => {
    for (const [code, words] of [
      ['EACCES', 'You have no permission for a.txt.'],
      ['EPERM', 'You have no permission for a.txt.'],
      ['EROFS', 'a.txt cannot be written: its disk is read-only.'],
      ['ENOSPC', 'a.txt cannot be written: its disk is full.'],
    ] as const)
      assert.throws(
        () =>
          explain('a.txt', 'write', () => {
            throw Object.assign(new Error(code), { code });
          }),
        new UsageError(words),
      );
  });

  it('suggests the nearest command, operation and option', async () => {
    assert.match(
      await refuse(['bots', 'lst']),
      /^There is no command bots lst\. Did you mean parley bots list\? There are\n/,
    );
    assert.equal(
      await refuse(['conversation', 'list']),
      'There is no command conversation list. Did you mean parley conversations list? See parley --help.\n',
    );
    assert.equal(
      await refuse(['logn']),
      'There is no command logn. Did you mean parley login? See parley --help.\n',
    );
    assert.equal(
      await refuse(['--versoin']),
      'There is no command --versoin. Did you mean parley --version? See parley --help.\n',
    );
    assert.equal(await refuse(['refund']), 'There is no command refund. See parley --help.\n');
    assert.equal(await refuse(['api', 'lisBots']), 'There is no operation lisBots. Did you mean listBots?\n');
    assert.match(await refuse(['api', 'bot']), /^There is no operation bot\. Did you mean \w+ or .+\?\n$/);
    assert.match(
      await refuse(['conversations', 'list', '--limt', '5']),
      /^There is no option --limt\. Did you mean --limit\?\nUsage: parley conversations list /,
    );
    assert.match(
      await refuse(['bots', 'list', '--jsn']),
      /^There is no option --jsn\. Did you mean --json\?\n/,
    );
    assert.match(
      await refuse(['bots', 'list', '--loud']),
      /^There is no option --loud\.\nUsage: parley bots list\n$/,
    );
  });

  it('counts inserted, deleted, replaced and swapped letters as differences', () => {
    const names = ['listBots', 'getBot', 'login'];
    for (const [word, nearest] of [
      ['listBot', ['listBots']],
      ['ilstBots', ['listBots']],
      ['getBat', ['getBot']],
      ['LOGIN', ['login']],
      ['x', []],
      ['', []],
    ] as const)
      assert.deepEqual(findNearest(word, names), nearest, word);
  });

  it('is described by --help with all exit codes', async () => {
    const { out } = await run(['--help']);
    const listed = [...out.matchAll(/^ {2} *(\d+) {2}\S/gm)].map(([, code]) => Number(code));
    assert.deepEqual(listed, Object.values(exitCodes));
  });
});

async function* failWith(error: Error): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
  throw error;
}
