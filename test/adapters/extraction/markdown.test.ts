import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { removeMarkdownComments } from '../../../adapters/extraction/markdown-comments.ts';
import { assertCpuBelow } from '../../support/cost.ts';
import { extractBytes, extractFixture } from './extraction-support.ts';

describe('extractDocument of Markdown', () => {
  it('splits at headings, except within code fences', async () => {
    const { title, sections } = await extractFixture('faq.md');
    assert.equal(title, 'Pump FAQ');
    assert.deepEqual(sections, [
      {
        headings: ['Frequently asked', 'Can I pump salt water?'],
        text: 'No. Salt water corrodes the housing within weeks.\n\n```sh\n# not a heading\npump --reset\n```',
      },
      {
        headings: ['Frequently asked', 'Delivery'],
        text: '| Country | Days |\n|---------|------|\n| Germany | 2    |\n| Spain   | 5    |',
      },
    ]);
  });

  it('omits comments, except those within code and those that never end', async () => {
    for (const [markdown, text] of [
      ['Five euros. <!-- Secret --> Ten.', 'Five euros.  Ten.'],
      ['Five\n\n<!--\nSecret\n\n```\n-->\nTen', 'Five\n\n\nTen'],
      ['<!-- a --><!-- b -->Five<!-- c', 'Five<!-- c'],
      [
        'Five\n[//]: # (Secret)\n[comment]: <> (Secret)\n[terms]: https://a.test',
        'Five\n[terms]: https://a.test',
      ],
      ['Write `<!-- a -->` for a <!-- Secret -->note', 'Write `<!-- a -->` for a note'],
      [
        '```html\n<!-- shown -->\n```\n\n    <!-- shown -->',
        '```html\n<!-- shown -->\n```\n\n    <!-- shown -->',
      ],
    ] as const) {
      const { sections } = await extractBytes(markdown, 'a.md');
      assert.deepEqual(sections, [{ headings: [], text }]);
    }
  });

  it('reads the title of front matter in YAML and TOML, and omits the rest of the front matter', async () => {
    for (const front of [
      '---\ndraft: no\ntitle: "Fees"\n---\n',
      '+++\ntitle = "Fees"\ndraft = false\n+++\n',
    ]) {
      const { title, sections } = await extractBytes(`${front}\nFive euros.`, 'a.md');
      assert.deepEqual(
        { title, sections },
        { title: 'Fees', sections: [{ headings: [], text: 'Five euros.' }] },
      );
    }
  });

  it('keeps a heading that has neither text nor subsections', async () => {
    const { sections } = await extractBytes(
      '# Hours\n## Open 9 to 5\n## **Closed** on [Sunday](x)\n\ntext',
      'a.md',
    );
    assert.deepEqual(sections, [
      { headings: ['Hours', 'Open 9 to 5'], text: 'Open 9 to 5' },
      { headings: ['Hours', 'Closed on Sunday'], text: 'text' },
    ]);
  });
});

describe('removeMarkdownComments', () => {
  for (const unit of ['<!--', '<!-- a -->', '-->', '`<!--', '<!--\n'])
    it(`takes less than 1 s for a megabyte of ${JSON.stringify(unit)}`, () => {
      const text = '`' + unit.repeat(1_000_000 / unit.length);
      assertCpuBelow(1000, () => removeMarkdownComments(text));
      assertCpuBelow(1000, () => removeMarkdownComments(`${text}-->`), 'with an end');
    });
});
