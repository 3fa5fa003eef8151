import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { buildBot } from '../support/build-bot.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { terminal } from './command-line.ts';

const UNKNOWN = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
const ID = '[-0-9a-f]{36}';

describe('`parley knowledge`', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  async function buildTerminal() {
    const { key, ...org } = await buildBot(parley);
    const shell = terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key });
    const path = (name: string) => join(shell.home, name);
    const write = (files: Record<string, string | Buffer>) => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(path(name)), { recursive: true });
        writeFileSync(path(name), content);
      }
    };
    /** Lists the titles once all documents are indexed, since titles come from the documents' content. */
    const listTitles = async () => {
      let documents: { title: string; status: string }[] = [];
      await waitUntil(async () => {
        documents = await shell.json(['knowledge', 'list', org.bot.id]);
        return documents.every(({ status }) => status === 'indexed');
      }, 'the documents to be indexed');
      return documents.map(({ title }) => title).sort();
    };
    const sync = (...args: string[]) => shell.run(['knowledge', 'sync', org.bot.id, path('docs'), ...args]);
    return { ...org, ...shell, path, write, listTitles, sync };
  }

  it('add takes files and folders, but no hidden files and links, and waits for all documents', async () => {
    const { run, bot, path, write, listTitles } = await buildTerminal();
    write({
      'prices.md': '# Prices\n\nA day pass costs 12 euros.',
      'docs/a.md': '# A\n\nFirst.',
      'docs/deep/er/b.md': '# B\n\nSecond.',
      'docs/.hidden.md': '# Hidden',
      'docs/.git/config.txt': 'hidden',
      'elsewhere/c.md': '# C',
    });
    symlinkSync(path('elsewhere'), path('docs/linked'));
    symlinkSync(path('elsewhere/c.md'), path('docs/c.md'));
    const added = await run(['knowledge', 'add', bot.id, path('prices.md'), path('docs'), '--wait']);
    assert.equal(added.code, exitCodes.done, added.err);
    const paths = ['prices.md', 'docs/a.md', 'docs/deep/er/b.md'].map(path);
    assert.match(added.out, new RegExp(`^${paths.map((each) => `${ID} {2}${each}\n`).join('')}$`));
    assert.match(added.err, /3 of 3 indexed\n$/);
    assert.deepEqual(await listTitles(), ['A', 'B', 'Prices']);
  });

  it('add with --json writes one document for a file, and a list for a folder', async () => {
    const { json, bot, path, write } = await buildTerminal();
    write({ 'docs/a.md': '# A' });
    const { title } = await json(['knowledge', 'add', bot.id, path('docs/a.md'), '--title', 'First']);
    assert.equal(title, 'First');
    const [added] = (await json(['knowledge', 'add', bot.id, path('docs'), '--wait'])) as {
      status: string;
    }[];
    assert.equal(added?.status, 'indexed');
  });

  itInSoak('add skips images in a folder, reports a refused file, and adds the other files', async () => {
    const { run, bot, path, write, listTitles } = await buildTerminal();
    write({ 'docs/a.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'docs/b.md': '# B' });
    const leftOut = await run(['knowledge', 'add', bot.id, path('docs')]);
    assert.equal(leftOut.code, exitCodes.done);
    assert.match(leftOut.err, new RegExp(`^${path('docs/a.png')} is left out: .+\n$`));
    write({ 'docs/empty.md': '' });
    const inFolder = await run(['knowledge', 'add', bot.id, path('docs')]);
    assert.equal(inFolder.code, exitCodes.done);
    assert.match(inFolder.err, new RegExp(`\n${path('docs/empty.md')} is left out: The file is empty\\.\n$`));
    const refused = await run(['knowledge', 'add', bot.id, path('docs/empty.md'), path('docs/b.md')]);
    assert.equal(refused.code, exitCodes.refused);
    assert.equal(refused.err, `${path('docs/empty.md')}: file is empty (empty.md)\n`);
    assert.match(refused.out, new RegExp(`^${ID} {2}${path('docs/b.md')}\n$`));
    assert.deepEqual(await listTitles(), ['B', 'B', 'B']);
  });

  itInSoak('add reads a text in the given encoding', async () => {
    const { json, bot, path, write } = await buildTerminal();
    // Write "# Цены" in the encoding windows-1251.
    write({ 'prices.md': Buffer.from([0x23, 0x20, 0xd6, 0xe5, 0xed, 0xfb]) });
    const args = ['knowledge', 'add', bot.id, path('prices.md'), '--encoding', 'windows-1251', '--wait'];
    const { encoding, title } = await json(args);
    assert.deepEqual([encoding, title], ['windows-1251', 'Цены']);
  });

  itInSoak('add refuses options that do not apply to the source, and an empty folder', async () => {
    const { run, bot, path, write } = await buildTerminal();
    write({ 'docs/.hidden': '', 'a.md': '# A', 'b.md': '# B' });
    for (const [args, err] of [
      [[path('docs')], `${path('docs')} contains no files except hidden ones.\n`],
      [
        [path('none')],
        `There is no file or folder ${path('none')}. The address of a page begins with https://.\n`,
      ],
      [[path('a.md'), '--site'], '--site requires the address of a website, https://…\n'],
      [[path('a.md'), '--max-pages', '3'], '--max-pages requires --site.\n'],
      [[path('a.md'), path('b.md'), '--title', 'A'], '--title is only for a single document.\n'],
    ] as const)
      assert.deepEqual(await run(['knowledge', 'add', bot.id, ...args]), {
        code: exitCodes.usage,
        out: '',
        err,
      });
  });

  it('add stops waiting for many documents on Ctrl-C and after --timeout', async () => {
    const { run, bot, path, write } = await buildTerminal();
    write({ 'docs/a.md': '# A', 'docs/b.md': '# B' });
    const interrupted = AbortSignal.abort();
    const args = ['knowledge', 'add', bot.id, path('docs'), '--wait'];
    const stopped = await run(args, { interrupted });
    assert.equal(stopped.code, exitCodes.interrupted);
    assert.match(
      stopped.err,
      new RegExp(`Indexing continues\\. To check again: parley knowledge list ${bot.id}\n$`),
    );
    assert.equal(stopped.out.split('\n').length, 3);
    assert.equal((await run([...args, '--timeout', '0'])).code, exitCodes.usage);
  });

  it('sync adds, replaces and removes documents, and then changes nothing', async () => {
    const { run, path, write, sync, listTitles } = await buildTerminal();
    write({ 'docs/a.md': '# A', 'docs/b/c.md': '# C', 'docs/b/d.md': '# D', 'docs/.hidden.md': '# H' });
    const first = await sync('--wait');
    assert.equal(first.code, exitCodes.done, first.err);
    assert.equal(
      first.out,
      'added     a.md\nadded     b/c.md\nadded     b/d.md\n3 added, 0 replaced, 0 removed, 0 unchanged\n',
    );
    const unchanged = { code: exitCodes.done, out: '0 added, 0 replaced, 0 removed, 3 unchanged\n', err: '' };
    assert.deepEqual(await sync('--wait'), unchanged);
    write({ 'docs/b/c.md': '# C2', 'docs/e.md': '# E' });
    rmSync(path('docs/b/d.md'));
    assert.deepEqual(await sync(), {
      code: exitCodes.done,
      out: 'replaced  b/c.md\nadded     e.md\nremoved   b/d.md\n1 added, 1 replaced, 1 removed, 1 unchanged\n',
      err: '',
    });
    assert.deepEqual(await sync(), unchanged);
    assert.deepEqual(await listTitles(), ['A', 'C', 'E']);
    assert.equal((await run(['knowledge', 'sync', UNKNOWN, path('docs')])).code, exitCodes.notFound);
  });

  itInSoak('sync keeps documents of other folders and documents that were added individually', async () => {
    const { run, json, bot, client, path, write, sync, listTitles } = await buildTerminal();
    write({ 'docs/a.md': '# A', 'other/a.md': '# Other', 'hand.md': '# Hand' });
    await run(['knowledge', 'add', bot.id, path('hand.md')]);
    await client.put(`/api/ext/bots/${bot.id}/documents/docs%2Fintro.md`, {
      source_type: 'raw_text',
      raw_text: 'Mine',
      title: 'Mine',
    });
    await run(['knowledge', 'sync', bot.id, path('other')]);
    await sync();
    write({ 'docs/b.md': '# B' });
    rmSync(path('docs/a.md'));
    assert.equal(
      (await sync('--force')).out,
      'added     b.md\nremoved   a.md\n1 added, 0 replaced, 1 removed, 0 unchanged\n',
    );
    assert.deepEqual(await listTitles(), ['B', 'Hand', 'Mine', 'Other']);
    const named = await json(['knowledge', 'sync', bot.id, path('other'), '--name', 'second']);
    assert.deepEqual(named, {
      added: ['a.md'],
      replaced: [],
      removed: [],
      unchanged: [],
      left_out: [],
      refused: [],
      failed: [],
    });
  });

  itInSoak('sync refuses a second folder with the same name until --name distinguishes them', async () => {
    const { run, bot, path, write, sync, listTitles } = await buildTerminal();
    write({ 'docs/a.md': '# A', 'docs/index.md': '# Index', 'copy/docs/index.md': '# Other' });
    await sync();
    const syncCopy = (...args: string[]) => run(['knowledge', 'sync', bot.id, path('copy/docs'), ...args]);
    const refused = await syncCopy('--force');
    assert.equal(refused.code, exitCodes.refused);
    const [, known = ''] = /^The set .+ add --name (docs@[0-9a-f]{8})\. If not, /.exec(refused.err) ?? [];
    assert.equal(
      (await syncCopy('--name', 'copy')).out,
      'added     index.md\n1 added, 0 replaced, 0 removed, 0 unchanged\n',
    );
    assert.deepEqual(await listTitles(), ['A', 'Index', 'Other']);
    assert.equal(
      (await syncCopy('--name', known)).out,
      'replaced  index.md\nremoved   a.md\n0 added, 1 replaced, 1 removed, 0 unchanged\n',
    );
  });

  it('sync moves the documents of a folder to its --name, and then refuses to sync the folder without it', async () => {
    const { run, bot, path, write, sync, listTitles } = await buildTerminal();
    write({ 'docs/a.md': '# A', 'docs/b.md': '# B' });
    await sync();
    write({ 'docs/b.md': '' });
    const moved = await sync('--name', 'handbook', '--wait');
    assert.equal(moved.out, 'added     a.md\n1 added, 0 replaced, 0 removed, 0 unchanged, 1 left out\n');
    assert.match(
      moved.err,
      /\nThe folder was synced without --name handbook: 1 previous document removed\.\n$/,
    );
    assert.deepEqual(await listTitles(), ['A', 'B']);
    write({ 'docs/b.md': '# B' });
    assert.match((await sync('--name', 'handbook')).err, /^The folder .+: 1 previous document removed\.\n$/);
    assert.deepEqual(await listTitles(), ['A', 'B']);
    const rest = ['knowledge', 'sync', bot.id, path('other/docs')];
    write({ 'other/docs/a.md': '# A' });
    await run([...rest, '--name', 'docs']);
    const unnamed = await run(rest);
    assert.equal(unnamed.code, exitCodes.refused);
    assert.match(
      unnamed.err,
      /^The set docs contains documents of a folder with this name, but with a different path\. If .+ add --name docs\. /,
    );
  });

  itInSoak('sync refuses an empty folder, and files of a named folder without its --name', async () => {
    const { run, bot, path, write, sync, listTitles } = await buildTerminal();
    write({ 'docs/a.md': '# A', 'docs/b.md': '# B', 'empty/.hidden': '' });
    const empty = path('empty');
    assert.deepEqual(await run(['knowledge', 'sync', bot.id, empty]), {
      code: exitCodes.usage,
      out: '',
      err: `${empty} contains no files except hidden ones.\n`,
    });
    await sync('--name', 'handbook');
    assert.deepEqual(await sync(), {
      code: exitCodes.refused,
      out: '',
      err: 'Documents with the names of these files are synced with --name handbook. If this is the same set of files, add --name handbook. If not, add --name with a new word.\n',
    });
    assert.deepEqual(await listTitles(), ['A', 'B']);
  });

  itInSoak('sync removes all documents of a folder only with --force', async () => {
    const { path, write, sync, listTitles } = await buildTerminal();
    write({ 'docs/a.md': '# A', 'docs/b.md': '# B' });
    await sync();
    rmSync(path('docs/a.md'));
    rmSync(path('docs/b.md'));
    assert.deepEqual(await sync(), {
      code: exitCodes.refused,
      out: '',
      err: `None of the synced files is in ${path('docs')} anymore: this would remove all 2 documents. To remove anyway, add --force.\n`,
    });
    assert.deepEqual(await listTitles(), ['A', 'B']);
    assert.equal(
      (await sync('--force')).out,
      'removed   b.md\nremoved   a.md\n0 added, 0 replaced, 2 removed, 0 unchanged\n',
    );
    assert.deepEqual(await sync('--force'), {
      code: exitCodes.done,
      out: '0 added, 0 replaced, 0 removed, 0 unchanged\n',
      err: '',
    });
  });

  it('sync skips empty files and images, keeps their previous documents, and succeeds', async () => {
    const { write, sync, listTitles } = await buildTerminal();
    write({ 'docs/a.md': '# A', 'docs/b.md': '# B' });
    await sync();
    write({ 'docs/a.md': '', 'docs/logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]) });
    const { code, out, err } = await sync();
    assert.deepEqual(
      [code, out],
      [exitCodes.done, '0 added, 0 replaced, 0 removed, 1 unchanged, 2 left out\n'],
    );
    assert.match(err, /^a\.md is left out: The file is empty\.\nlogo\.png is left out: .+\n$/);
    assert.deepEqual(await listTitles(), ['A', 'B']);
  });

  itInSoak('sync refuses a file in place of a folder, and a name with a slash', async () => {
    const { run, bot, path, write } = await buildTerminal();
    write({ 'docs/a.md': '# A' });
    const file = await run(['knowledge', 'sync', bot.id, path('docs/a.md')]);
    assert.deepEqual(
      [file.code, file.err],
      [exitCodes.usage, `${path('docs/a.md')} is a file, not a folder. Add it with parley knowledge add.\n`],
    );
    const named = await run(['knowledge', 'sync', bot.id, path('docs'), '--name', 'a/b']);
    assert.equal(named.err, '--name must be a word without a slash.\n');
  });

  it('list writes the external ids of documents', async () => {
    const { run, bot, path, write, listTitles } = await buildTerminal();
    write({ 'prices.md': '# Prices', 'docs/deep/a.md': '# A' });
    await run(['knowledge', 'add', bot.id, path('prices.md')]);
    await run(['knowledge', 'sync', bot.id, path('docs'), '--name', 'handbook']);
    await listTitles();
    const { out } = await run(['knowledge', 'list', bot.id]);
    assert.deepEqual(
      out
        .replaceAll(/^\S+ {2}/gm, '')
        .split('\n')
        .toSorted(),
      ['', 'indexed  A       sync/handbook/deep/a.md', 'indexed  Prices'],
    );
  });

  it('remove deletes documents in order, and stops at the first unknown document', async () => {
    const { run, bot, path, write } = await buildTerminal();
    write({ 'docs/a.md': '# A', 'docs/b.md': '# B' });
    const { out } = await run(['knowledge', 'add', bot.id, path('docs')]);
    const [a = '', b = ''] = out.split('\n').map((line) => line.split(' ')[0] ?? '');
    const removed = await run(['knowledge', 'remove', bot.id, a, UNKNOWN, b]);
    assert.deepEqual([removed.code, removed.out], [exitCodes.notFound, `removed  ${a}\n`]);
    assert.match((await run(['knowledge', 'list', bot.id])).out, new RegExp(`^${b} .+\n$`));
    assert.equal((await run(['knowledge', 'remove', bot.id, b])).code, exitCodes.done);
    assert.deepEqual(await run(['knowledge', 'list', bot.id]), { code: exitCodes.done, out: '', err: '' });
  });
});
