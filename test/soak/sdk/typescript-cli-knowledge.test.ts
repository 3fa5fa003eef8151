import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../../sdk/typescript/src/cli/exit-codes.ts';
import { page, useCrawler, urlset } from '../../knowledge/site-support.ts';
import { buildActiveBot } from '../../support/widget.ts';
import type { TestParleyWithWorker } from '../../support/worker.ts';
import { terminal } from '../../sdk/command-line.ts';

describe('the command line `parley knowledge`', () => {
  let parley: TestParleyWithWorker;
  const servers = useCrawler((started) => ({ parley } = started));

  async function startTerminal() {
    const { key, ...org } = await buildActiveBot(parley);
    return { ...org, ...terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key }) };
  }

  /** Creates a website of three pages: one is missing, and one waits until the test releases it. */
  async function buildSite() {
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const answer = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
      if (url === '/sitemap.xml')
        return response
          .writeHead(200, { 'content-type': 'application/xml' })
          .end(urlset(['/a', '/slow', '/gone'].map((name) => base + name)));
      const isThere = url === '/a' || url === '/slow';
      const respond = () =>
        response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html' }).end(page(url.slice(1)));
      return url === '/slow' ? isReleased.then(respond) : respond();
    };
    const base = `http://127.0.0.1:${await servers.http((request, response) => void answer(request, response))}`;
    return { base, release };
  }

  it('adds a file, waits for it, and answers a question about it', async () => {
    const { run, json, bot, home } = await startTerminal();
    const file = join(home, 'prices.md');
    writeFileSync(file, 'A day pass costs 12 euros.');
    const added = await run(['knowledge', 'add', bot.id, file, '--title', 'Prices', '--wait']);
    assert.equal(added.code, 0);
    assert.match(added.err, /^indexed, 1 passage$/m);
    const listed = await run(['knowledge', 'list', bot.id]);
    assert.equal(listed.out, `${added.out.trim()}  indexed  Prices\n`);
    const asked = await run(['ask', bot.id, 'What does a day pass cost?']);
    assert.equal(asked.out, 'A day pass costs 12 euros. [1]\n[1] Prices\n');
    const { content, citations } = await json(['ask', bot.id, 'What does a day pass cost?']);
    assert.match(content, /12 euros/);
    assert.equal((citations as object[]).length, 1);
  });

  it('shows how many pages of a website are indexed, and which failed', async () => {
    const { run, bot } = await startTerminal();
    const { base, release } = await buildSite();
    const adding = ['knowledge', 'add', bot.id, base, '--site', '--max-pages', '10', '--wait'];
    // Releases the slow page once the command's output reports the first page.
    const heard = (text: string) => void (text.includes('1 of 3 pages') && release());
    const { code, out, err } = await run(adding, { heard });
    assert.equal(code, exitCodes.done, err);
    assert.match(err, /^reading and indexing, 1 of 3 pages/m);
    assert.match(err, /^indexed, 2 of 3 pages, 1 failed, 2 passages$/m);
    assert.match(err.trimEnd().split('\n').at(-1) ?? '', /gone/);
    const lines = err.split('\n');
    assert.equal(new Set(lines).size, lines.length, 'each change is printed once');
    const status = await run(['knowledge', 'status', bot.id, out.trim()]);
    assert.match(status.out, /^indexed, 2 of 3 pages, 1 failed, 2 passages\n[^]*gone/);
  });

  it('rewrites one line on a terminal, and prints only the document with --json', async () => {
    const { run, json, bot, home } = await startTerminal();
    const file = join(home, 'a.md');
    writeFileSync(file, '# A\n\nText.');
    const { err } = await run(['knowledge', 'add', bot.id, file, '--wait'], { isTerminal: true });
    const [before, ...shown] = err.split('\r\x1b[K');
    assert.deepEqual([before, shown.at(-1)], ['', 'indexed, 1 passage\n']);
    assert.equal(err.indexOf('\n'), err.length - 1);
    const document = await json(['knowledge', 'add', bot.id, file, '--wait'], {
      heard: (text) => assert.fail(text),
    });
    assert.deepEqual([document['status'], document['chunk_count']], ['indexed', 1]);
  });

  it('exits with a different code after a failure, timeout or interruption', async () => {
    const { run, bot, home } = await startTerminal();
    const file = join(home, 'empty.pdf');
    writeFileSync(file, '%PDF-1.4 nothing');
    const failed = await run(['knowledge', 'add', bot.id, file, '--wait']);
    assert.equal(failed.code, exitCodes.refused, failed.err);
    assert.match(failed.err, /PDF/);
    const { base, release } = await buildSite();
    const late = await run(['knowledge', 'add', bot.id, base, '--site', '--wait', '--timeout', '1']);
    assert.equal(late.code, exitCodes.late, late.err);
    const [, later = ''] = /To wait again: parley (.*)\n$/.exec(late.err) ?? [];
    const ctrlC = new AbortController();
    const heard = () => ctrlC.abort();
    const interrupted = await run(later.split(' '), { interrupted: ctrlC.signal, heard });
    assert.equal(interrupted.code, exitCodes.interrupted);
    assert.match(interrupted.err, new RegExp(`To wait again: parley ${later}\n$`));
    release();
    const done = await run(later.split(' '));
    assert.equal(done.code, exitCodes.done, done.err);
    assert.match(done.out, /^indexed, 2 of 3 pages/);
  });

  it('refuses options that cannot be combined', async () => {
    const { run, bot, home } = await startTerminal();
    for (const [args, told] of [
      [[join(home, 'a.md'), '--site'], '--site requires the address of a website, https://…\n'],
      [['https://example.com', '--max-pages', '3'], '--max-pages requires --site.\n'],
      [
        ['https://example.com', '--site', '--max-pages', 'all'],
        '--max-pages must be a whole number of at least 1, not all.\n',
      ],
    ] as const)
      assert.deepEqual(await run(['knowledge', 'add', bot.id, ...args]), {
        code: exitCodes.usage,
        out: '',
        err: told,
      });
  });
});
