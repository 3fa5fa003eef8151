import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { loadBrowserFile, loadWidgetParts } from '../../web/browser-bundle.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

describe('/widget.js', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  it('is at most 27 KB compressed over https, and 30 KB over http', async () => {
    const script = await loadBrowserFile('widget.js');
    const [sizeBytes, gzipBytes] = [brotliCompressSync(script).length, gzipSync(script, { level: 9 }).length];
    assert.ok(sizeBytes <= 27 * 1024, `${sizeBytes} bytes`);
    assert.ok(gzipBytes <= 30 * 1024, `${gzipBytes} bytes`);
    assert.equal(script.includes('sourceMappingURL'), false);
  });

  it('is served to any site, compressed, and returns 304 if unchanged', async () => {
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
    assert.equal((await fetch(url, { method: 'POST' })).status, 405);
    assert.equal((await fetch(`${url}.map`)).status, 404);
  });

  it('has translations that any site can load', async () => {
    const { baseUrl } = parley;
    const { status, headers } = await fetch(`${baseUrl}/widget/fr.json`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=86400');
    assert.equal((await fetch(`${baseUrl}/widget/xx.json`)).status, 404);
  });

  it('has parts named by their content hash, which are immutable and which any site can load', async () => {
    const { baseUrl } = parley;
    const script = (await loadBrowserFile('widget.js')).toString();
    const parts = await loadWidgetParts();
    const sizes: Record<string, number> = {
      booking: 8 * 1024,
      files: 6 * 1024,
      form: 2 * 1024,
      rating: 2 * 1024,
    };
    for (const [part, most] of Object.entries(sizes)) {
      const name = [...parts.keys()].find((each) => each.startsWith(`${part}-`) && each.endsWith('.js'))!;
      assert.ok(script.includes(name.slice(part.length)), name);
      const { status, headers } = await fetch(`${baseUrl}/widget/${name}?1`);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      const gzipBytes = gzipSync(parts.get(name)!, { level: 9 }).length;
      assert.ok(gzipBytes <= most, `${name}: ${gzipBytes} bytes`);
    }
  });

  it('serves a compatible part of another release with no-store, and 404 for an incompatible part', async () => {
    const { baseUrl } = parley;
    const parts = await loadWidgetParts();
    const name = [...parts.keys()].find((each) => /^booking-.*js$/.test(each))!;
    const [, contract] = name.split('-');
    const other = await fetch(`${baseUrl}/widget/booking-${contract}-00000000.js`);
    assert.equal(other.status, 200);
    assert.equal(other.headers.get('cache-control'), 'no-store');
    assert.deepEqual(Buffer.from(await other.arrayBuffer()), parts.get(name));
    for (const unknown of ['booking-00000000-00000000.js', 'booking.js', 'booking-de-00000000.json'])
      assert.equal((await fetch(`${baseUrl}/widget/${unknown}`)).status, 404, unknown);
  });

  it('is the script in the snippet of getBotEmbed', async () => {
    const { bot, client } = await buildActiveBot(parley);
    const { body } = await client.get(`/api/bots/${bot.id}/embed`);
    assert.match(
      body.snippet,
      new RegExp(`^<script src="[^"]+/widget\\.js" data-bot="${bot.public_key}" async></script>$`),
    );
  });
});
