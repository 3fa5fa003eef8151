import assert from 'node:assert/strict';
import { splitMarkdown } from '../../../adapters/extraction/markdown-sections.ts';
import { assertCpuBelow } from '../../support/cost.ts';
import { selectCases } from '../../support/it-in-soak.ts';

describe('splitMarkdown', () => {
  const headings: [markdown: string, heading: string][] = [
    ['Prices ##', 'Prices'],
    ['**Prices** and _terms_', 'Prices and terms'],
    ['Prices {#prices}  ', 'Prices'],
    ['Prices <a name="prices"></a>', 'Prices'],
    ['a < b <br>', 'a < b'],
    ['See [prices](https://shop.test/prices)', 'See prices'],
    ['See [Paris](https://wiki.test/Paris_(Texas))', 'See Paris'],
    ['![Logo](logo.png) Shop', 'Logo Shop'],
  ];
  for (const [markdown, heading] of headings)
    it(`reads the heading "${markdown}"`, () => {
      assert.deepEqual(splitMarkdown(`# ${markdown}\n\nText`), [{ headings: [heading], text: 'Text' }]);
    });

  const hostile: Record<string, string> = {
    spaces: `a${' '.repeat(294)}x`,
    'opening brackets': '['.repeat(296),
    'empty links': '[]('.repeat(98),
    'nested parentheses': `[](${'('.repeat(290)}`,
    'less-than signs': '<'.repeat(296),
    'opening braces': '{#'.repeat(148),
  };
  for (const [what, heading] of selectCases(Object.entries(hostile), 1))
    it(`splits 26,000 headings of ${what} in less than 1.5 s`, () => {
      const markdown = `# ${heading}\n`.repeat(26_000);
      assertCpuBelow(1500, () => assert.equal(splitMarkdown(markdown).length, 26_000));
    });
});
