import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley } from '../support/parley.ts';
import { openSharedBrowser } from '../support/browser.ts';
import { startHostSite } from '../support/host-site.ts';
import { buildActiveBot } from '../support/widget.ts';
import { extractCodeBlocks } from '../support/code-blocks.ts';
import { buildSamplesModule } from '../support/code-samples.ts';
import { installNpmPackage } from '../support/npm-tool.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

const run = promisify(execFile);
const root = fileURLToPath(projectRoot());
const source = join(root, 'sdk/typescript');
const README = readFileSync(join(source, 'README.md'), 'utf8');

/** Program for a browser, which must compile without types of Node.js. */
const IN_A_BROWSER = `
import type { ParleyEvents } from 'parley-sdk/widget';
import { Parley, verifyWebhook, type BotRead, type Page, type UnknownStreamEvent, type WidgetEvent } from 'parley-sdk';
const client = new Parley({ baseUrl: location.origin, visitorToken: 'token', fetch: (input, init) => fetch(input, init) });
export const events: AsyncIterable<WidgetEvent> = client.widget.streamMessage('id', { content: 'Hello' });
export const page: Promise<Page<BotRead>> = client.bots.list();
export const first = (await client.bots.get('id')).status satisfies string;
export const uploaded = client.knowledge.upload('id', new File(['text'], 'a.txt'), { title: 'A' }, { signal: AbortSignal.timeout(1) });
for await (const { id, name } of client.bots.list({ status: 'active' })) console.log(id, name);
for await (const event of events)
  switch (event.event) {
    case 'delta':
      event.data.text satisfies string;
      break;
    case 'done':
      event.data.message.content satisfies string;
      break;
    default:
      event.event satisfies string;
  }
for await (const event of client.inbox.stream())
  switch (event.event) {
    case 'item':
    case 'removed':
      break;
    default:
      event satisfies UnknownStreamEvent;
      ((name: string) => name === 'new')(event.event);
      // @ts-expect-error the data of an unknown event is unknown
      event.data.text;
  }
const event = verifyWebhook('', new Headers(), 'whsec_');
event.data.event_id satisfies string;
if (event.event === 'lead.captured') console.log(event.data.contact_id);
window.ParleySettings = { visitorId: 7, identityToken: async () => 'token', onBook: (choice) => choice?.link };
window.Parley?.send('Hello');
export const stop: (() => void) | undefined = window.Parley?.on('message', ({ role, content }) => console.log(role, content));
window.Parley?.on('status', (status) => status satisfies ParleyEvents['status']);
// @ts-expect-error there is no such event
window.Parley?.on('opened', () => {});
// @ts-expect-error the name of this setting is visitorId
window.ParleySettings = { visitor: 7 };
// @ts-expect-error a bot has a name
client.bots.create({});
// @ts-expect-error this status cannot be set
client.bots.update('id', { status: 'asleep' });
// @ts-expect-error there is no such field
console.log((await client.bots.get('id')).nickname);
`;

/** A CommonJS module. */
const REQUIRING = `
import { NotFoundError, Parley, type BotRead } from 'parley-sdk';
import sdk = require('parley-sdk');
import type { ParleyWidget } from 'parley-sdk/widget';
export const open = (widget: ParleyWidget): void => widget.open();
const client: Parley = new sdk.Parley({ baseUrl: 'http://parley.test', apiKey: 'key' });
export const getBot = (): Promise<BotRead> => client.bots.get('id');
console.log(typeof client.bots.get, new NotFoundError({} as never) instanceof sdk.ParleyError, sdk.Parley === Parley, sdk.default === Parley);
`;

/** Program that runs on any JavaScript runtime and calls a server. */
const ANYWHERE = `
import { ConnectionError, NotFoundError, Parley } from 'parley-sdk';
const [baseUrl = '', apiKey = ''] = Deno.args;
const client = new Parley({ baseUrl, apiKey });
const bot = await client.bots.create({ name: 'Of Deno' });
const names: string[] = [];
for await (const { name } of client.bots.list()) names.push(name);
const error = await client.bots.get('0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b').catch((thrown: unknown) => thrown);
const uploaded = await client.knowledge.upload(bot.id, { name: 'a.md', content: '# A' });
const offline = new Parley({ baseUrl: 'http://127.0.0.1:1', apiKey, maxRetries: 0 });
const lost = await offline.bots.list().catch((thrown: unknown) => thrown);
let answer = '';
for await (const event of client.bots.tryStreaming(bot.id, { message: 'Hello' }))
  if (event.event === 'done') answer = event.data.reply.content;
console.log(names.join(), error instanceof NotFoundError, uploaded.title, lost instanceof ConnectionError, answer !== '');
`;

describe('the TypeScript package', () => {
  let folder: string;
  let installed: { stdout: string; stderr: string };
  before(async () => {
    folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}');
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source });
    const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    const install = ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`];
    installed = await run('npm', install, { cwd: folder });
    writeFileSync(join(folder, 'browser.ts'), IN_A_BROWSER);
    writeFileSync(join(folder, 'samples.ts'), buildSamplesModule('TypeScript'));
    writeFileSync(join(folder, 'guide.ts'), extractCodeBlocks(README, 'ts').join('\n'));
    copyFileSync(join(root, 'demo/documents/rider-handbook.pdf'), join(folder, 'rider-handbook.pdf'));
  });

  it('contains its code, README and license, no dependencies, and nothing else', () => {
    const installed = join(folder, 'node_modules/parley-sdk');
    assert.deepEqual(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['parley-sdk'],
    );
    assert.deepEqual(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object;
    assert.equal('dependencies' in manifest, false);
  });

  it('is installed without a warning', () => {
    assert.equal(installed.stderr, '');
    assert.match(installed.stdout, /^\nadded 1 package in \w+\n$/);
  });

  it('has no install script', () => {
    const { scripts } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    assert.deepEqual(Object.keys(scripts), ['build', 'prepack']);
  });

  it('can be required by CommonJS, with its types', async () => {
    writeFileSync(join(folder, 'requiring.cts'), REQUIRING);
    const compiler = join(root, 'node_modules/typescript');
    const options = { lib: ['ES2023'], types: ['node'], module: 'node16' };
    await compileFile(compiler, 'requiring.cts', options);
    await build({
      entryPoints: [join(folder, 'requiring.cts')],
      outfile: join(folder, 'requiring.cjs'),
      format: 'cjs',
      logLevel: 'silent',
    });
    const { stdout } = await run(process.execPath, ['requiring.cjs'], { cwd: folder });
    assert.equal(stdout, 'function true true true\n');
  });

  it('reads URL and key from the environment', async () => {
    const script = `
      import { Parley } from 'parley-sdk';
      const fetch = async (url, { headers }) => (console.log(url, headers.authorization), Response.json([]));
      for (const options of [{}, { baseUrl: 'https://env.test/' }, { baseUrl: 'https://other.test' }, { apiKey: 'own' }])
        await new Parley({ ...options, fetch }).apiKeys.list().catch(({ name, message }) => console.log(name, message));
    `;
    const runWith = async (env: Record<string, string>) => {
      const args = ['--input-type=module', '--eval', script];
      return (await run(process.execPath, args, { cwd: folder, env })).stdout.trim().split('\n');
    };
    const path = '/api/api-keys';
    assert.deepEqual(await runWith({ PARLEY_URL: 'https://Env.test', PARLEY_API_KEY: 'key' }), [
      `https://env.test${path} Bearer key`,
      `https://env.test${path} Bearer key`,
      'MissingCredentialError listApiKeys needs credentials: pass an apiKey to new Parley(), or set PARLEY_API_KEY, which is only sent to PARLEY_URL.',
      `https://env.test${path} Bearer own`,
    ]);
    assert.deepEqual(await runWith({ PARLEY_API_KEY: 'key' }), [
      `http://localhost:3000${path} Bearer key`,
      `https://env.test${path} Bearer key`,
      `https://other.test${path} Bearer key`,
      `http://localhost:3000${path} Bearer own`,
    ]);
  });

  for (const version of ['5.9.3', '7.0.2'])
    itInSoak(
      `compiles strictly with TypeScript ${version} for browsers and Node.js, with samples of all operations`,
      async function () {
        const compiler =
          version === '7.0.2'
            ? join(root, 'node_modules/typescript')
            : installNpmPackage(`typescript@${version}`);
        if (compiler === undefined) return this.skip();
        await compileFile(compiler, 'browser.ts', { lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'], types: [] });
        await compileFile(compiler, 'guide.ts', { lib: ['ES2023'], types: ['node'] });
        await compileFile(compiler, 'samples.ts', { lib: ['ES2023'], types: ['node'] });
      },
    );

  itInSoak('runs the README’s code', async () => {
    const parley: TestParleyWithWorker = await startParleyWithWorker();
    try {
      const { key } = await parley.buildOrg();
      await build({
        entryPoints: [join(folder, 'guide.ts')],
        outfile: join(folder, 'guide.js'),
        format: 'esm',
        logLevel: 'silent',
      });
      const env = { PATH: process.env['PATH'], PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key };
      const { stdout } = await run(process.execPath, ['guide.js'], { cwd: folder, env });
      const lines = stdout.split('\n');
      assert.match(lines[0] ?? '', /^A day pass costs 12 euros\./);
      assert.equal(lines.includes('1 1'), true, 'the list has a page of one bot');
      assert.match(stdout, /^indexed \d+$/m);
      assert.match(stdout, /Children ride free\./);
      assert.equal(lines.includes('name'), true, 'the field that is not valid');
    } finally {
      await parley.stop();
    }
  });

  itInSoak('runs in Deno', async function () {
    const deno = installNpmPackage('deno@2.9.6');
    if (deno === undefined) return this.skip();
    writeFileSync(join(folder, 'anywhere.ts'), ANYWHERE);
    const parley = await startParley();
    try {
      const { key } = await parley.buildOrg();
      const allowed = ['--allow-net', '--node-modules-dir=manual', '--no-remote', '--check'];
      const args = [join(deno, 'bin.cjs'), 'run', ...allowed, 'anywhere.ts', parley.baseUrl, key];
      const { stdout } = await run(process.execPath, args, { cwd: folder });
      assert.equal(stdout, 'Of Deno true a.md true true\n');
    } finally {
      await parley.stop();
    }
  });

  it('ends `parley` silently when its output is no longer read', async () => {
    const child = spawn(join(folder, 'node_modules/.bin/parley'), ['--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.deepEqual([errors, code], ['', 141]);
  });

  it('contains the command `parley`', async () => {
    const { stdout } = await run(join(folder, 'node_modules/.bin/parley'), ['--version']);
    const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string };
    assert.equal(stdout, `${version}\n`);
  });

  it('can be bundled for browsers without parts of Node.js', async () => {
    const { text, metafile } = await buildBundle();
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    assert.deepEqual(
      imports.filter(({ external }) => external),
      [],
    );
    assert.equal(/\bnode:|\brequire\(|(?<!globalThis\.)\bprocess\b|\bBuffer\b/.test(text), false);
  });

  itInSoak('lets a page of another origin chat with a bot', async function () {
    const browser = await openSharedBrowser();
    if (!browser) return this.skip();
    const [parley, site, { text }] = await Promise.all([startParley(), startHostSite(), buildBundle()]);
    const page = await browser.newPage();
    try {
      const { bot } = await buildActiveBot(parley);
      await page.goto(site.add({ html: `<meta charset="utf-8"><script>${text}</script>` }));
      const talked = await page.evaluate(talkToBot, { baseUrl: parley.baseUrl, publicKey: bot.public_key });
      assert.deepEqual(talked, {
        events: ['message.started', 'delta', 'citations', 'done'],
        name: 'NotFoundError',
        hasRequestId: true,
      });
    } finally {
      await page.close();
      await Promise.all([parley.stop(), site.close()]);
    }
  });

  async function buildBundle() {
    const { outputFiles, metafile } = await build({
      stdin: { contents: "export * from 'parley-sdk'", resolveDir: folder },
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'parley',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    return { text: outputFiles[0]?.text ?? '', metafile };
  }

  async function compileFile(
    compiler: string,
    file: string,
    options: { lib: string[]; types: string[]; module?: string },
  ): Promise<void> {
    const config = {
      compilerOptions: {
        target: 'ES2023',
        module: 'NodeNext',
        ...options,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
        skipLibCheck: options.types.length > 0,
        noEmit: true,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      files: [file],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = await run(process.execPath, [join(compiler, 'bin/tsc'), '-p', '.'], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    assert.equal(stdout, '');
  }
});

/** Chats with the bot through the SDK. This function runs in the web page. */
async function talkToBot({ baseUrl, publicKey }: { baseUrl: string; publicKey: string }) {
  const { Parley } = (globalThis as unknown as { parley: typeof import('../../sdk/typescript/src/index.ts') })
    .parley;
  const client = new Parley({ baseUrl });
  const { session_id: id, visitor_token: visitorToken } = await client.widget.startSession(publicKey);
  const events: string[] = [];
  for await (const { event } of client.widget.streamMessage(id, { content: 'Hello' }, { visitorToken }))
    events.push(event);
  const error = await client.widget.getConfig('pk_nobody').catch((thrown: Error) => thrown);
  return {
    events,
    name: (error as Error).name,
    hasRequestId: (error as { requestId?: string | null }).requestId?.startsWith('req_') ?? false,
  };
}
