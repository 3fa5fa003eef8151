import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { loadBrowserFile } from '../../api/browser/browser-bundle.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

describe('/widget.js', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  it('has at most 23 KB as browsers get it over https, and 25 KB elsewhere', async () => {
    const script = await loadBrowserFile('widget.js');
    const [sizeBytes, gzipBytes] = [brotliCompressSync(script).length, gzipSync(script, { level: 9 }).length];
    assert.ok(sizeBytes <= 23 * 1024, `${sizeBytes} bytes`);
    assert.ok(gzipBytes <= 25 * 1024, `${gzipBytes} bytes`);
    assert.equal(script.includes('sourceMappingURL'), false);
  });

  it('is served to any site, compressed, and again only when it has changed', async () => {
    const { baseUrl } = parley;
    const url = `${baseUrl}/widget.js`;
    const first = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(first.headers.get('content-encoding'), 'gzip');
    assert.equal(first.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(first.headers.get('access-control-allow-origin'), '*');
    assert.equal(first.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=86400');
    assert.equal(first.headers.get('vary'), 'Accept-Encoding');
    assert.deepEqual(Buffer.from(await first.arrayBuffer()), await loadBrowserFile('widget.js'));

    const etag = first.headers.get('etag')!;
    const again = await fetch(url, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
    assert.equal(again.status, 304);
    assert.equal(again.headers.get('etag'), etag);
    assert.equal(await again.text(), '');

    const head = await fetch(url, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.ok(Number(head.headers.get('content-length')) > 1000);
    assert.equal((await fetch(url, { method: 'POST' })).status, 404);
    assert.equal((await fetch(`${url}.map`)).status, 404);
  });

  it('comes with its words in other languages, for any site', async () => {
    const { baseUrl } = parley;
    const { status, headers } = await fetch(`${baseUrl}/widget/fr.json`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=86400');
    assert.equal((await fetch(`${baseUrl}/widget/xx.json`)).status, 404);
  });

  it('is what the snippet of getBotEmbed names', async () => {
    const { bot, client } = await buildActiveBot(parley);
    const { body } = await client.get(`/api/bots/${bot.id}/embed`);
    assert.match(
      body.snippet,
      new RegExp(`^<script src="[^"]+/widget\\.js" data-bot="${bot.public_key}" async></script>$`),
    );
  });
});
