import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PROSE, readBetween, readBlocks } from './page-support.ts';

const SITE_HEADER = '<header><div class="logo">The shop</div><nav><a href="/">Home</a></nav></header>';
const SITE_FOOTER = '<footer><p>The shop, 12 Harbour Street</p></footer>';
const CONTENT = `<h1>Lockers</h1><p>${PROSE}</p><p>Lockers open at seven.</p>`;

describe('extractDocument of a page with headers, footers and asides', () => {
  it('reads the headers, footers and asides of an article, a section and the main content', async () => {
    assert.deepEqual(await readBetween('<aside aria-label="Caution"><p>Never unplug it.</p></aside>'), [
      'Never unplug it.',
    ]);
    assert.deepEqual(
      await readBetween(
        '<section><header><h2>Fees</h2></header><p>Two pounds.</p><footer><p>Until March.</p></footer></section>',
      ),
      ['# Fees', 'Two pounds.', 'Until March.'],
    );
    assert.deepEqual(
      await readBlocks(
        `<body>${SITE_HEADER}<article><header><h1>Lockers</h1><p>For bags and coats.</p></header><p>${PROSE}</p><footer><p>Valid until March.</p></footer></article>${SITE_FOOTER}`,
      ),
      ['# Lockers', 'For bags and coats.', PROSE, 'Valid until March.'],
    );
    assert.deepEqual(
      await readBlocks(
        `${SITE_HEADER}<div role="main"><h1>Lockers</h1><p>${PROSE}</p><aside class="note"><p>Bring a coin.</p></aside></div>${SITE_FOOTER}`,
      ),
      ['# Lockers', PROSE, 'Bring a coin.'],
    );
  });

  it('reads an aside between paragraphs of a page without a main element', async () => {
    assert.deepEqual(
      await readBlocks(
        `<h1>Lockers</h1><p>${PROSE}</p><aside>Bring a coin.</aside><p>They open at seven.</p>`,
      ),
      ['# Lockers', PROSE, 'Bring a coin.', 'They open at seven.'],
    );
  });

  it('removes the headers, footers and asides of the site', async () => {
    for (const page of [
      `${SITE_HEADER}<main>${CONTENT}</main><aside><p>Our newsletter is free.</p></aside>${SITE_FOOTER}`,
      `<section id="page">${SITE_HEADER}<main>${CONTENT}</main>${SITE_FOOTER}</section>`,
      `${SITE_HEADER}<div>${CONTENT}</div><div class="side"><aside><p>Our newsletter is free.</p></aside></div>${SITE_FOOTER}`,
      `<div role="banner">The shop</div><div>${CONTENT}</div><div role="contentinfo">12 Harbour Street</div>`,
    ]) {
      assert.deepEqual(await readBlocks(page), ['# Lockers', PROSE, 'Lockers open at seven.'], page);
    }
  });

  it('reads a page in a header, footer, aside or navigation that is never closed', async () => {
    const skip = '<a href="#c">Skip to content</a>';
    for (const page of [
      `${skip}<div id="page"><header id="top"><div class="logo">Shop</div><main id="c">${CONTENT}</main></div>`,
      `${skip}<header><div class="logo">Shop</div><div id="c">${CONTENT}</div>`,
      `${skip}<aside><div id="c">${CONTENT}</div></aside>`,
      `<nav><ul><li>${skip}</li></ul><div id="c">${CONTENT}</div>`,
      `<nav>${skip}<main id="c">${CONTENT}</main></nav>`,
      `<header>${skip}<nav><a href="/">Home</a></nav><article>${CONTENT}</article>${SITE_FOOTER}`,
    ]) {
      assert.deepEqual(
        (await readBlocks(page)).slice(-3),
        ['# Lockers', PROSE, 'Lockers open at seven.'],
        page,
      );
    }
  });

  it('removes links that skip the navigation', async () => {
    assert.deepEqual(
      await readBlocks(
        `<ul><li><a href="#c">Zum Inhalt</a></li><li><a href="#n">Zum Menü</a></li></ul><div>${CONTENT}</div>`,
      ),
      ['# Lockers', PROSE, 'Lockers open at seven.'],
    );
  });
});
