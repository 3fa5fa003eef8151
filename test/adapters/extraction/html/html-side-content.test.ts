import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PROSE, readBlocks } from './page-support.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';
import { assertAsyncCpuBelow } from '../../../support/cost.ts';

const DATED =
  '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2026-05-01"}</script>';
const LONG = Array.from({ length: 8 }, (_, index) => `<p>${PROSE} (${index})</p>`).join('');
const LONG_BLOCKS = Array.from({ length: 8 }, (_, index) => `${PROSE} (${index})`);
const CONTENT = `<h1>Lockers</h1>${LONG}`;
const CONTENT_BLOCKS = ['# Lockers', ...LONG_BLOCKS];

const readWithSideContent = (side: string) => readBlocks(`<body>${DATED}<div>${CONTENT}</div>${side}</body>`);
const link = (text: string) => `<a href="/x">${text}</a>`;

describe('extractDocument of a page with side content', () => {
  for (const [name, side] of [
    ['comments', `<div id="comments"><h3>2 comments</h3><p>Anna: I lost my key there last week.</p></div>`],
    ['teasers', `<div class="related-posts"><h3>Read next</h3><p>${link('Boats for hire')}</p></div>`],
    ['an author box', '<div class="author-box"><p>Ada writes about stations since 2010.</p></div>'],
    ['share buttons', '<div class="sharing"><p>Share this article with your friends</p></div>'],
    ['a newsletter form', '<div class="newsletter"><p>Get our best articles by email.</p></div>'],
    ['a sidebar', '<div class="sidebar"><p>Our station has shops and cafés.</p></div>'],
    ['a consent banner', '<div class="cookie-consent"><p>We use cookies to improve the site.</p></div>'],
    ['breadcrumbs', `<div class="breadcrumbs">${link('Home')} > ${link('Luggage')}</div>`],
  ] as const)
    it(`omits ${name}`, async () => {
      assert.deepEqual(await readWithSideContent(side), CONTENT_BLOCKS);
    });

  for (const [name, side] of [
    [
      'a list of teasers by its heading',
      `<section><h2>Das könnte dich interessieren</h2><div><p>${link('Boats')}</p></div></section>`,
    ],
    [
      'comments by their heading',
      '<div><h3>2 comments</h3><p>Anna: I lost my key there last week.</p></div>',
    ],
    ['a request to sign in', '<p>Please log in to post a comment.</p>'],
    ['a copyright notice', '<p>© 2026 Station company</p>'],
    ['the label of an advertisement', '<div><span>Advertisement</span></div>'],
    ['a button to print', '<p>Artikel drucken</p>'],
    ['the heading of removed teasers', '<h3>Related articles</h3>'],
    ['a note on its publication', '<p>Dieser Beitrag wurde am 5. Mai 2026 veröffentlicht</p>'],
    ['categories', '<p>Filed under: stations, luggage</p>'],
    ['a date', '<p>26. Januar 2026, 12:30 Uhr</p>'],
    ['the source of a photo', '<p>Foto: Ada Miller</p>'],
  ] as const)
    it(`omits ${name} within the content`, async () => {
      const blocks = await readBlocks(
        `<body>${DATED}<div><h1>Lockers</h1>${LONG}${side}${LONG}</div></body>`,
      );
      assert.deepEqual(blocks, [...CONTENT_BLOCKS, ...LONG_BLOCKS]);
    });

  for (const [name, side] of [
    ['a heading at the end', '<h2>News</h2>'],
    ['a label at the end', '<p>More stations:</p>'],
  ] as const)
    it(`omits ${name} of the content`, async () => {
      const blocks = await readBlocks(`<body>${DATED}<div>${CONTENT}${side}</div></body>`);
      assert.deepEqual(blocks, CONTENT_BLOCKS);
    });

  it('omits the news agency in the last line', async () => {
    const blocks = await readBlocks(`<body>${DATED}<div>${CONTENT}<p>dpa/AP</p></div></body>`);
    assert.deepEqual(blocks, CONTENT_BLOCKS);
  });

  it('keeps texts that look like labels of articles on a page that is not an article', async () => {
    const texts = ['Foto: Ada Miller', 'Category: coats', '2 comments on delivery', 'Open on 26.01.2026'];
    const list = `<ul><li>Anzeige</li></ul><h2>Recommended settings</h2><p>${link('Reset')} the device first.</p>`;
    const blocks = await readBlocks(
      `<body><h1>Lockers</h1>${LONG}${texts.map((text) => `<p>${text}</p>`).join('')}${list}</body>`,
    );
    for (const text of [...texts, '-   Anzeige', '# Recommended settings'])
      assert.ok(blocks.includes(text), `${text} in ${JSON.stringify(blocks.slice(9))}`);
  });

  for (const [name, head] of [
    ['a date among its meta elements', '<meta name="date" content="2026-05-01">'],
    [
      'Open Graph’s type and a date',
      '<meta property="og:type" content="article"><time datetime="2026-05-01"></time>',
    ],
    [
      'Open Graph’s type and a section',
      '<meta property="og:type" content="article"><meta property="article:section" content="News">',
    ],
  ] as const)
    it(`omits the source of a photo on a page that is an article by ${name}`, async () => {
      const page = `<head>${head}</head><body><div><h1>Lockers</h1>${LONG}<p>Foto: Ada Miller</p>${LONG}</div></body>`;
      assert.deepEqual(await readBlocks(page), [...CONTENT_BLOCKS, ...LONG_BLOCKS]);
    });

  it('keeps the source of a photo on a page that is an article only by Open Graph’s type', async () => {
    const page = `<head><meta property="og:type" content="article"></head><body><div><h1>Lockers</h1>${LONG}<p>Foto: Ada Miller</p></div></body>`;
    assert.deepEqual(await readBlocks(page), [...CONTENT_BLOCKS, 'Foto: Ada Miller']);
  });

  it('keeps a page whose only content is named like side content', async () => {
    const blocks = await readBlocks(`<body><div class="comments">${CONTENT}</div></body>`);
    assert.deepEqual(blocks, CONTENT_BLOCKS);
  });

  it('keeps an introduction that is named like a teaser, and has no link', async () => {
    const blocks = await readBlocks(
      `<body><h1>Lockers</h1><div class="teaser"><p>Lockers for bags and coats.</p></div>${LONG}</body>`,
    );
    assert.deepEqual(blocks, ['# Lockers', 'Lockers for bags and coats.', ...LONG_BLOCKS]);
  });

  it('keeps the questions and answers of a FAQ page', async () => {
    const item = (question: string, answer: string) =>
      `<div class="faq-item"><h3>${question}</h3><div class="answer"><p>${answer}</p></div></div>`;
    const blocks = await readBlocks(
      `<body><h1>Questions</h1>${item('How big?', 'Sixty by forty.')}${item('How much?', 'Two pounds.')}${LONG}</body>`,
    );
    assert.deepEqual(blocks, ['# How big?', 'Sixty by forty.', '# How much?', 'Two pounds.', ...LONG_BLOCKS]);
  });

  it('keeps the menu of a restaurant, and the caption and note of a documentation page', async () => {
    const menu = '<section class="menu"><h2>Soups</h2><p>Tomato soup, 5 pounds</p></section>';
    const note = '<div class="note"><p>Never unplug the device.</p></div>';
    const figure = '<figure><figcaption>Reset: hold the button.</figcaption></figure>';
    const blocks = await readBlocks(`<body><h1>Lockers</h1>${LONG}${menu}${note}${figure}</body>`);
    for (const text of ['Tomato soup, 5 pounds', 'Never unplug the device.', 'Reset: hold the button.'])
      assert.ok(blocks.includes(text), `${text} in ${JSON.stringify(blocks)}`);
  });

  it('keeps description, sizes and reviews of a product with dated reviews', async () => {
    const data =
      '<script type="application/ld+json">{"@type":"Product","review":{"@type":"Review","datePublished":"2026-05-01"}}</script>';
    const sizes = '<form><p>Sizes: small, medium, large</p><input type="radio"></form>';
    const tab = '<div class="tab"><h2>Care</h2><p>Wash at thirty degrees.</p></div>';
    const blocks = await readBlocks(`<body>${data}<h1>Coat</h1>${LONG}${sizes}${tab}</body>`);
    for (const text of ['Sizes: small, medium, large', 'Wash at thirty degrees.'])
      assert.ok(blocks.includes(text), `${text} in ${JSON.stringify(blocks)}`);
  });

  itInSoak('reads an article with 20,000 blocks behind its end in linear time', async () => {
    const side = '<div><span>Boat</span></div>'.repeat(20_000);
    await assertAsyncCpuBelow(20_000, () => readWithSideContent(side));
  });

  itInSoak('reads nested elements around 20,000 empty elements in linear time', async () => {
    const side = `${'<div>'.repeat(500)}${'<span></span>'.repeat(20_000)}Boat${'</div>'.repeat(500)}`;
    await assertAsyncCpuBelow(10_000, () => readWithSideContent(side));
  });
});
