import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { createGuidePages } from '../../api/installation/guide-pages.ts';
import { readLibrary } from '../../scripts/guides/library.ts';
import { listSourceFiles } from '../support/source-files.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

const library = readLibrary();
const matchesGlob = (path: string, glob: string) =>
  new RegExp(`^${glob.replaceAll('*', '[^/]+')}$`).test(path);
const pages = library.groups.flatMap((group) => group.pages);
const HREF = /<a\b[^>]*\bhref="([^"]+)"/g;
const MARKDOWN_LINK = /\]\(([^)\s#]*)[^)\s]*\)/g;

/** Returns the folders whose sources the build compiles. */
function listCompiledFolders(): string[] {
  const { include } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] };
  return include.filter((pattern) => pattern.endsWith('/**/*.ts')).map((pattern) => pattern.split('/')[0]!);
}

describe('the list of guides', () => {
  it('has each guide once, with the guide’s own title', () => {
    const listed = pages.map(({ path }) => path);
    const guides = listSourceFiles(['docs/guides'], /\.md$/).filter(
      (path) => path !== 'docs/guides/README.md',
    );
    assert.deepEqual(listed.filter((path) => path.startsWith('docs/guides/')).toSorted(), guides.toSorted());
    assert.equal(new Set(listed).size, listed.length);
    for (const { path, title } of pages.filter((page) => guides.includes(page.path)))
      assert.equal(readFileSync(path, 'utf8').split('\n')[0], `# ${title}`);
  });

  it('only has files that the build of the image includes', () => {
    const context = readFileSync('.dockerignore', 'utf8').split('\n');
    const patterns = context.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const compiled = listCompiledFolders().map((folder) => `${folder}/main.ts`);
    const needed = [...pages.map(({ path }) => path), ...compiled, 'docs/guides/README.md', 'guides/main.ts'];
    assert.deepEqual(
      needed.filter(
        (path) => !patterns.some((each) => path.startsWith(`${each}/`) || matchesGlob(path, each)),
      ),
      [],
    );
  });
});

describe('a guide page whose file cannot be read', () => {
  it('returns 500, and reads the file again at the next request', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-guides-'));
    const page = join(folder, 'docs', 'guides', 'flows.md');
    mkdirSync(page, { recursive: true });
    const serve = createGuidePages({ baseUrl: 'https://parley.example.com' }, folder);
    const koa = new Koa();
    koa.silent = true;
    koa.use(async (context) => void (await serve(context)));
    const server = koa.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const read = () => fetch(`http://127.0.0.1:${port}/docs/guides/flows.md`);
    try {
      assert.equal((await read()).status, 500);
      rmSync(page, { recursive: true });
      writeFileSync(page, '# Flows');
      assert.equal(await (await read()).text(), '# Flows');
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the pages of the guides', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const read = async (address: string) => {
    const response = await fetch(new URL(address, parley.baseUrl));
    return { response, text: await response.text() };
  };

  it('link to existing pages of this server', async () => {
    const known = new Map<string, Promise<string>>();
    const textAt = (address: string) => {
      const text =
        known.get(address) ??
        read(address).then(({ response, text: found }) => {
          assert.equal(response.status, 200, address);
          return found;
        });
      known.set(address, text);
      return text;
    };
    for (const address of ['/docs/guides', ...pages.map((page) => page.address)])
      for (const [, href = ''] of (await textAt(address)).matchAll(HREF)) {
        if (/^https?:/.test(href)) continue;
        const [path = '', anchor] = href.split('#');
        const text = await textAt(path === '' ? address : path);
        assert.ok(
          anchor === undefined || path === '/docs/settings' || text.includes(` id="${anchor}"`),
          `${address}: ${href}`,
        );
      }
  });

  it('have plain text for programs, all listed in /llms.txt by absolute URLs', async () => {
    const { response, text } = await read('/llms.txt');
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(text, /^# Parley\n\n> [^\n]+\n\n/);
    const addresses = linksIn(text);
    for (const { address } of pages) assert.ok(addresses.includes(`${address}.md`), address);
    for (const address of addresses) {
      const found = await read(address);
      assert.equal(found.response.status, 200, address);
      if (!address.endsWith('.md')) continue;
      assert.equal(found.response.headers.get('content-type'), 'text/markdown; charset=utf-8');
      for (const link of linksIn(found.text))
        assert.ok([...addresses, '/docs', '/docs/guides'].includes(link), `${address}: ${link}`);
    }
  });

  /** Returns the links in a page to this server, without its host. */
  function linksIn(markdown: string): string[] {
    const { baseUrl } = parley.runtime.settings;
    const links = [...markdown.matchAll(MARKDOWN_LINK)].map(([, link = '']) => link);
    return links.filter((link) => link.startsWith(baseUrl)).map((link) => link.slice(baseUrl.length));
  }

  it('have a description in plain text', async () => {
    const { text } = await read('/docs/guides');
    const [, description] = /<meta name="description" content="([^"]*)">/.exec(text) ?? [];
    assert.match(description ?? '', / at \/docs\/guides, where .* in \/llms\.txt\.$/);
  });

  it('load nothing from other hosts, and are revalidated by their ETag', async () => {
    const { response } = await read('/docs/guides/quickstart-curl');
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    const again = await fetch(response.url, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });
    assert.equal(again.status, 304);
  });

  it('are found with an additional slash, but otherwise only by their exact names', async () => {
    const { response } = await read('/docs/guides/quickstart-curl/');
    assert.equal(response.url, `${parley.baseUrl}/docs/guides/quickstart-curl`);
    for (const address of ['/docs/guides/nothing', '/docs/guides/nothing.md', '/docs/guides/..%2fllms.txt']) {
      const unknown = await read(address);
      assert.equal(unknown.response.status, 404, address);
      assert.equal((JSON.parse(unknown.text) as { error: { code: string } }).error.code, 'not_found');
    }
  });
});
