import assert from 'node:assert/strict';
import {
  findColorsInThread,
  digestPageInThread,
  readPageMetadataInThread,
} from '../../../../adapters/web/page-tasks.ts';
import { assertLoopBlockedBelow } from '../../../support/loop-meter.ts';

const MEGABYTE = 1024 * 1024;
/** Longest time in milliseconds that reading a page may block the event loop. */
const MAX_BLOCKED_MS = 50;
const options = { payerId: 'payer' };

function buildHtmlPage(html: string) {
  const body = Buffer.from(html).subarray(0, MEGABYTE);
  return { body, contentType: 'text/html; charset=utf-8', url: 'https://site.example/', robots: null };
}

describe('a page of 1 MB', () => {
  before(async () => {
    // Start the thread that reads pages before the measurements.
    await digestPageInThread(buildHtmlPage('<title>a</title>'), options);
  });

  for (const [name, html] of [
    ['elements', '<b></b>'.repeat(150_000)],
    ['links', '<a href=/b>b</a>'.repeat(65_000)],
    ['links of navigation', '<nav><a href=/b>b</a></nav>'.repeat(38_000)],
    ['levels', '<div>'.repeat(990) + '<a href=x>b</a>'.repeat(60_000)],
    ['attributes', `<a ${Array.from({ length: 150_000 }, (_, at) => `a${at}`).join(' ')}>`],
    ['open elements', '<b><p><a><i><u>'.repeat(60_000)],
    ['tables', '<table><tr><td>'.repeat(300) + '<td>x'.repeat(190_000)],
    ['hidden elements', '<p hidden style="display:none">a</p>'.repeat(28_000)],
    ['headings', '<h1>a?</h1>'.repeat(90_000)],
    ['bytes of no charset', 'é'.repeat(500_000)],
  ] as const)
    it(`blocks the event loop for less than ${MAX_BLOCKED_MS} ms with too many ${name}`, async () => {
      await assertLoopBlockedBelow(MAX_BLOCKED_MS, () =>
        Promise.all([
          digestPageInThread(buildHtmlPage(html), options).catch(isUnreadable),
          readPageMetadataInThread(buildHtmlPage(html), options).catch(isUnreadable),
        ]),
      );
    });

  for (const [name, head, url] of [
    ['a base', `<base href="/${'%41%2e'.repeat(320)}/">`, undefined],
    ['its own address', '', `https://site.example/${'%41%2e'.repeat(320)}/`],
  ] as const)
    it(`blocks the event loop for less than ${MAX_BLOCKED_MS} ms with a few links and a long ${name}`, async () => {
      const page = buildHtmlPage(head + '<a href=x>'.repeat((16 * 1024 - head.length) / 10));
      await assertLoopBlockedBelow(MAX_BLOCKED_MS, () =>
        readPageMetadataInThread({ ...page, ...(url !== undefined && { url }) }, options),
      );
    });

  it('is refused as damaged if an element has endless attributes', async () => {
    const html = `<a ${Array.from({ length: 2000 }, (_, at) => `a${at}`).join(' ')}>`;
    await assert.rejects(digestPageInThread(buildHtmlPage(html), options), {
      reason: 'damaged',
      message: /too many attributes/,
    });
  });

  it('is refused after a timeout, and another thread reads the next page', async () => {
    const slow = digestPageInThread(
      buildHtmlPage('<div>'.repeat(990) + '<aside>a</aside>'.repeat(60_000)),
      options,
    );
    const next = digestPageInThread(buildHtmlPage('<title>next</title>'), options);
    await assert.rejects(slow, {
      reason: 'timeout',
      message: 'The page takes longer to read than Parley allows for its size.',
    });
    assert.equal((await next).title, 'next');
  });

  it('is rejected by digestPageInThread at once when its signal aborts', async () => {
    const controller = new AbortController();
    const aborted = { ...options, signal: controller.signal };
    const slow = digestPageInThread(buildHtmlPage('<b></b>'.repeat(150_000)), aborted);
    const waiting = digestPageInThread(buildHtmlPage('<title>a</title>'), aborted);
    controller.abort(new Error('enough'));
    await assert.rejects(slow, { message: 'enough' });
    await assert.rejects(waiting, { message: 'enough' });
    assert.equal((await digestPageInThread(buildHtmlPage('<title>b</title>'), options)).title, 'b');
  });
});

describe('a style sheet', () => {
  for (const [name, css] of [
    ['dashes', '-'.repeat(576 * 1024)],
    ['names', '--brand'.repeat(80_000)],
    ['colors', '#fff '.repeat(115_000)],
  ] as const)
    it(`blocks the event loop for less than ${MAX_BLOCKED_MS} ms with too many ${name}`, async () => {
      await assertLoopBlockedBelow(MAX_BLOCKED_MS, () => findColorsInThread(css, options));
    });
});

function isUnreadable(error: unknown): void {
  assert.ok(error instanceof Error && error.name === 'UnreadableDocument', String(error));
}
