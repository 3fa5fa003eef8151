import assert from 'node:assert/strict';
import { load } from 'cheerio';
import { markBlocks } from '../../../../adapters/extraction/html/main-content.ts';
import { assertCpuBelow } from '../../../support/cost.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';
import { extractBytes } from '../extraction-support.ts';

describe('markBlocks', () => {
  it('takes less than 2 s for 50,000 links', () => {
    const $ = load('<a href="x">x</a> '.repeat(50_000));
    assertCpuBelow(2000, () => markBlocks($));
  });

  it('numbers block elements in document order', () => {
    const $ = load('<main><p>A</p><b>B</b></main><ul><li>C</li></ul>');
    markBlocks($);
    assert.equal(
      $('body').html(),
      '<main data-parley-mark="0"><p data-parley-mark="1">A</p><b>B</b></main><ul data-parley-mark="2"><li data-parley-mark="3">C</li></ul>',
    );
  });
});

describe('a page of links without blocks', () => {
  itInSoak('is read even with 111,000 links, more than Readability can handle', async () => {
    const { sections } = await extractBytes('<a href="x">x</a> '.repeat(111_000), 'page.html');
    assert.equal(sections.map(({ text }) => text.replaceAll(/\s/g, '').length).join(), '111000');
  });
});

describe('a page of entities without blocks', () => {
  itInSoak('is read even with 160,000 entities, more than Readability can handle', async () => {
    const { sections } = await extractBytes(`<h1>Log</h1>${'&amp;x '.repeat(160_000)}`, 'page.html');
    assert.equal(sections.map(({ text }) => text.split('&').length - 1).join(), '160000');
  });
});
