import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { UsageError } from '../../sdk/typescript/src/cli/command.ts';
import { operationIds } from '../../sdk/typescript/src/cli/api/operation-list.ts';
import { commands } from '../../sdk/typescript/src/cli/commands.ts';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { explain, writeBody, writeText } from '../../sdk/typescript/src/cli/files.ts';
import { findNearest } from '../../sdk/typescript/src/nearest.ts';
import { terminal } from './command-line.ts';

const env = { PARLEY_URL: 'http://127.0.0.1:1', PARLEY_API_KEY: 'parley_live_0' };

describe('`parley`', () => {
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
    ['api', 'uploadDocument', 'b1', '--file'],
  ])
    it(`${args.join(' ')} names a missing file, and a folder in place of a file`, async () => {
      assert.equal(await refuse([...args, missing]), `There is no file ${missing}.\n`);
      assert.equal(await refuse([...args, folder]), `${folder} is a folder, not a file.\n`);
    });

  it('knowledge add and knowledge sync name a missing path', async () => {
    assert.equal(
      await refuse(['knowledge', 'add', 'b1', missing]),
      `There is no file or folder ${missing}. The address of a page begins with https://.\n`,
    );
    assert.equal(await refuse(['knowledge', 'sync', 'b1', missing]), `There is no folder ${missing}.\n`);
  });

  it('knowledge add suggests quotes if its arguments, joined by spaces, are the path of a file', async () => {
    const path = join(home, 'price list.md');
    writeFileSync(path, 'A day pass costs 12 euros.');
    assert.equal(
      await refuse(['knowledge', 'add', 'b1', ...path.split(' ')]),
      `There is no file or folder ${join(home, 'price')}. Put the path in quotes: "${path}".\n`,
    );
  });

  it('names a file that is not UTF-8, and an option that would be ignored', async () => {
    const csv = join(home, 'latin.csv');
    writeFileSync(csv, Buffer.from('question\nCaf\u00e9?\n', 'latin1'));
    for (const [args, message] of [
      [['test-sets', 'import', 'b1', 'Prices', csv], `${csv} is not UTF-8. Save the file as UTF-8.`],
      [
        ['knowledge', 'sync', 'b1', folder, '--timeout', 'abc'],
        '--timeout must be a whole number of at least 1, not abc.',
      ],
      [['webhooks', 'tail', '--secret', 'whsec_0'], '--secret requires --forward.'],
      [
        ['login', '--no-browser'],
        'Without a terminal, parley login only reads a key from a pipe. To approve a key in a browser, run parley login in a terminal (ssh -t).',
      ],
      [
        ['webhooks', 'replay', 'd1', 'd2'],
        'parley webhooks replay takes 1 argument, not 2.\nUsage: parley webhooks replay <delivery_id>\nTo replay all failed deliveries, repeat the command for each id from parley webhooks deliveries --status failed, or have the operator run: npm run parley -- webhooks replay --endpoint <webhook_id> --since <time>',
      ],
    ] as const)
      assert.equal(await refuse([...args]), `${message}\n`);
  });

  it('names the number of arguments and of path values that are required', async () => {
    assert.equal(
      await refuse(['bots', 'show', 'b1', 'b1']),
      'parley bots show takes 1 argument, not 2.\nUsage: parley bots show <bot_id>\n',
    );
    assert.match(
      await refuse(['knowledge', 'add', 'b1']),
      /^parley knowledge add takes at least 2 arguments, not 1\.\nUsage: parley knowledge add /,
    );
    assert.match(
      await refuse(['flows', 'check', 'a', 'b', 'c']),
      /^parley flows check takes 1 argument, not 3\. Put a path with spaces in quotes\.\n/,
    );
    assert.match(
      await refuse(['webhooks', 'replay', 'a', 'b']),
      /^parley webhooks replay takes 1 argument, not 2\.\n/,
    );
    assert.match(
      await refuse(['ask', 'b1', 'Open', 'today?']),
      /^parley ask takes 2 arguments, not 3\. Put a text of several words in quotes\.\n/,
    );
    assert.equal(await refuse(['api', 'getBot']), 'getBot takes 1 path value (<bot_id>), not 0.\n');
    assert.equal(
      await refuse(['api', 'getBot', 'b1', 'b1']),
      'getBot takes 1 path value (<bot_id>), not 2. Other values belong in --query or --body.\n',
    );
    assert.equal(
      await refuse(['api', 'listBots', 'status=active']),
      'listBots takes 0 path values, not 1. Other values belong in --query or --body.\n',
    );
  });

  it('webhooks tail refuses to forward to a URL without a scheme', async () => {
    for (const url of ['localhost:4242', 'http://'])
      assert.equal(
        await refuse(['webhooks', 'tail', '--forward', url]),
        `--forward must be a URL such as http://localhost:4242/, not ${url}.\n`,
      );
  });

  it('names the position at which the JSON of --body is malformed', async () => {
    assert.match(
      await refuse(['api', 'createBot', '--body', '{name: 1}']),
      /^The body is not JSON: .*position 1\b.*\.\n$/,
    );
  });

  it('names the file of --body that is not JSON, with the line or the cause', async () => {
    const json = '{"name": "Guide"}';
    const contents: [content: string | Uint8Array, message: RegExp][] = [
      ['{"name": "Guide",\n}', /^FILE is not JSON: .*\(line 2 column 1\)\.\n$/],
      ["{'name': 'Guide'}", /^FILE is not JSON: .*\. Write names and texts in double quotes\.\n$/],
      ['\n', /^FILE is empty\.\n$/],
      [Buffer.from(json, 'utf16le'), /^FILE is UTF-16\. Save it as UTF-8\.\n$/],
      [Buffer.from(`\ufeff${json}`, 'utf16le'), /^FILE is UTF-16\. Save it as UTF-8\.\n$/],
      [gzipSync(json), /^FILE is compressed with gzip\. Decompress it\.\n$/],
      [Buffer.from('89504e470d0a1a0a00', 'hex'), /^FILE is a binary file, not text\.\n$/],
    ];
    const file = join(home, 'body.json');
    for (const [content, message] of contents) {
      writeFileSync(file, content);
      assert.match((await refuse(['api', 'createBot', '--body', `@${file}`])).replace(file, 'FILE'), message);
    }
    assert.match(
      await refuse(['api', 'createBot', '--body', file]),
      /^The body is not JSON: .*\. To read the file, write @.*body\.json\.\n$/,
    );
    assert.equal(await refuse(['api', 'createBot', '--body', '@']), 'Enter the name of a file after @.\n');
  });

  it('knowledge add refuses a folder with too many files or levels', async () => {
    const large = join(home, 'large');
    mkdirSync(large);
    for (let index = 0; index <= 5000; index += 1) writeFileSync(join(large, `${index}.md`), '');
    assert.equal(
      await refuse(['knowledge', 'add', 'b1', large]),
      `${large} has more than 5000 files: choose a smaller folder.\n`,
    );
    const deep = join(home, 'deep');
    mkdirSync(join(deep, ...Array.from({ length: 33 }, () => 'a')), { recursive: true });
    assert.equal(
      await refuse(['knowledge', 'add', 'b1', deep]),
      `${deep} has folders more than 32 levels deep.\n`,
    );
  });

  it('names the file of --body that does not exist', async () => {
    const body = ['api', 'createBot', '--body'];
    assert.equal(await refuse([...body, `@${missing}`]), `There is no file ${missing}.\n`);
    const inFile = join(home, 'file', 'a.json');
    assert.equal(
      await refuse([...body, `@${inFile}`]),
      `A part of the path ${inFile} is a file, not a folder.\n`,
    );
  });

  it('names a file that cannot be written', async () => {
    const inMissing = join(home, 'none', 'a.json');
    const message = `The folder of ${inMissing} does not exist.`;
    assert.throws(() => writeText(inMissing, ''), new UsageError(message));
    await assert.rejects(writeBody(inMissing, Readable.from([])), new UsageError(message));
    await assert.rejects(
      writeBody(folder, Readable.from([])),
      new UsageError(`${folder} is a folder, not a file.`),
    );
    const broken = new Error('broken');
    await assert.rejects(writeBody(join(home, 'b'), Readable.from(failWith(broken))), broken);
  });

  it('names the file that lacks permission, or whose disk is full or read-only', () => {
    for (const [code, words] of [
      ['EACCES', 'You do not have permission to access a.txt.'],
      ['EPERM', 'You do not have permission to access a.txt.'],
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

  it('suggests the most similar command, operation and option', async () => {
    assert.match(
      await refuse(['bots', 'lst']),
      /^There is no command bots lst\. Did you mean parley bots list\? The commands are:\n/,
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
    assert.equal(
      await refuse(['sync']),
      'There is no command sync. Did you mean parley knowledge sync? See parley --help.\n',
    );
    assert.equal(
      await refuse(['whoami']),
      'There is no command whoami. Use parley api getMe. See parley --help.\n',
    );
    for (const [args, call] of [
      [['webhooks', 'delete', 'w1'], 'parley api deleteWebhook <id>'],
      [['webhooks', 'rotate', 'w1'], 'parley api rotateWebhookSecret <id>'],
      [['knowledge', 'update'], 'parley api updateDocument <bot_id> <document_id>'],
      [['contacts', 'list'], 'parley api listContacts'],
      [['api-keys', 'rm'], 'parley api revokeApiKey <key_id>'],
    ] as const) {
      const words = args.slice(0, 2).join(' ');
      const [line] = (await refuse([...args])).split('\n');
      assert.equal(line!.startsWith(`There is no command ${words}. Use ${call}. `), true, line);
    }
    const list = 'parley api --list lists all operations.';
    assert.equal(
      await refuse(['api', 'GET', '/api/bots']),
      `Use the id of the operation. GET /api/bots is listBots. ${list}\n`,
    );
    assert.equal(
      await refuse(['api', '/api/bots/7']),
      `Use the id of the operation. DELETE /api/bots/{bot_id} is deleteBot. GET /api/bots/{bot_id} is getBot. PATCH /api/bots/{bot_id} is updateBot. ${list}\n`,
    );
    assert.equal(await refuse(['api', 'POST']), `Use the id of the operation. ${list}\n`);
    assert.equal(
      await refuse(['api', 'getBot', '7', '--body', '{}']),
      'getBot does not take a body. Remove --body and --file; filters belong in --query.\n',
    );
    assert.equal(await refuse(['api', 'lisBots']), 'There is no operation lisBots. Did you mean listBots?\n');
    assert.equal(
      await refuse(['api', 'getBots']),
      'There is no operation getBots. Did you mean listBots or getBot?\n',
    );
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
    assert.match(
      await refuse(['knowledge', 'snyc', 'b1', folder]),
      /^There is no command knowledge snyc\. Did you mean parley knowledge sync\? The commands are:\n/,
    );
    assert.match(
      await refuse(['webhooks', 'trigger', 'lead.captured', '--endpont', 'w1']),
      /^There is no option --endpont\. Did you mean --endpoint\?\n/,
    );
    assert.match(
      await refuse(['completion', 'fihs']),
      /^There is no completion for fihs\. Did you mean fish\?\nUsage: parley completion bash \| zsh \| fish\n$/,
    );
    assert.equal(await refuse(['api']), 'Specify an operation: parley api --list lists all operations.\n');
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

  for (const words of ['', ...commands.map(({ name }) => name), 'bots', 'knowledge', 'webhooks'])
    it(`${words} --help lists all exit codes`, async () => {
      const { code, out, err } = await run([...words.split(' ').filter(Boolean), '--help']);
      assert.deepEqual([code, err], [exitCodes.done, '']);
      const listed = [...out.matchAll(/^ {2} *(\d+) {2}\S/gm)].map(([, each]) => Number(each));
      assert.deepEqual(listed, Object.values(exitCodes));
    });

  for (const { name, options = {} } of commands)
    it(`${name} --help explains all options`, async () => {
      const { out } = await run([...name.split(' '), '--help']);
      const explained = [...out.matchAll(/^ {2}--([\w-]+)(?: <.+?>)? {2,}\S/gm)].map(([, option]) => option);
      assert.deepEqual(explained, [...Object.keys(options), 'json', 'help']);
    });

  it('api --list lists the operations whose id, path or summary contains the words, without a key', async () => {
    const offline = terminal({});
    const listed = await offline.run(['api', '--list', 'WEBHOOK', 'replay']);
    assert.deepEqual(listed, {
      code: exitCodes.done,
      out: 'replayWebhookDelivery  POST  /api/webhooks/deliveries/{delivery_id}/replay  Redeliver: creates a new delivery that refers to the original delivery. The original stays in the log.\n',
      err: '',
    });
    const all = (await offline.json(['api', '--list'])) as { id: string; summary: string }[];
    assert.deepEqual(
      all.map(({ id }) => id),
      operationIds,
    );
    assert.ok(all.every(({ summary }) => summary !== ''));
    assert.ok(operationIds.includes('putDocumentFile'));
    assert.deepEqual(await offline.run(['api', '--list', 'nothing-like-this']), {
      code: exitCodes.done,
      out: '',
      err: '',
    });
  });
});

async function* failWith(error: Error): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
  throw error;
}
