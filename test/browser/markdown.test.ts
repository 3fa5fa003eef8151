import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseBlocks, type Block } from '../../browser/markdown-blocks.ts';
import { parseInline, type Inline } from '../../browser/markdown-inline.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const text = (value: string): Inline => ({ type: 'text', text: value });
const paragraph = (...children: Inline[]): Block => ({ type: 'paragraph', children });
const parseSource = (source: string, isPartial = false) => parseBlocks(source, isPartial).blocks;

/** Returns all text in a tree of parsed Markdown, as a reader sees it. */
function collectTreeText(value: unknown): string {
  if (Array.isArray(value)) return value.map(collectTreeText).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { type, text: own, index, ...rest } = value as Record<string, unknown>;
  if (type === 'break') return '\n';
  if (type === 'citation') return `[${index as number}]`;
  return typeof own === 'string' ? own : Object.values(rest).map(collectTreeText).join('');
}

function collectLinks(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(collectLinks);
  if (typeof value !== 'object' || value === null) return [];
  const { href, ...rest } = value as Record<string, unknown>;
  return [...(typeof href === 'string' ? [href] : []), ...Object.values(rest).flatMap(collectLinks)];
}

describe('Markdown of answers', () => {
  it('renders bold, italics, deleted text, code and line breaks', () => {
    assert.deepEqual(parseInline('a **b *c*** ~~d~~ `e*f*`\ng'), [
      text('a '),
      { type: 'strong', children: [text('b '), { type: 'emphasis', children: [text('c')] }] },
      text(' '),
      { type: 'deleted', children: [text('d')] },
      text(' '),
      { type: 'code', text: 'e*f*' },
      { type: 'break' },
      text('g'),
    ]);
  });

  it('shows marks without a meaning verbatim', () => {
    for (const source of [
      '2 * 3 * 4',
      'snake_case_name',
      '**open',
      'a ` b',
      '[1',
      '\\*',
      'x ** y',
      '~one~',
      '****',
    ]) {
      assert.equal(collectTreeText(parseInline(source)), source.replace('\\', ''), source);
    }
  });

  it('links only http, https, mailto and tel', () => {
    const link = (source: string) => collectLinks(parseInline(source));
    assert.deepEqual(link('[a](https://example.com/x_(y)?a=1&b=2 "title")'), [
      'https://example.com/x_(y)?a=1&b=2',
    ]);
    assert.deepEqual(link('[a](<https://example.com/a b>)'), ['https://example.com/a%20b']);
    assert.deepEqual(link('see https://example.com/path, or (http://example.org).'), [
      'https://example.com/path',
      'http://example.org/',
    ]);
    assert.deepEqual(link('[mail](mailto:ada@example.com)'), ['mailto:ada@example.com']);
    assert.deepEqual(link('[call](tel:+351210000000)'), ['tel:+351210000000']);
    assert.deepEqual(link('![image](https://example.com/a.png)'), ['https://example.com/a.png']);
    for (const hostile of [
      '[x](javascript:alert(1))',
      '[x](JaVaScRiPt:alert(1))',
      '[x](java\tscript:alert(1))',
      '[x](\u0001javascript:alert(1))',
      '[x](<java\u2028script:alert(1)>)',
      '[x](data:text/html,<script>alert(1)</script>)',
      '[x](vbscript:msgbox(1))',
      '[x](file:///etc/passwd)',
      '[x](//evil.example)',
      '[x](/relative)',
      '[x](blob:https://example.com/1)',
      '[x](https://bank.example@evil.example)',
      '<a href="javascript:alert(1)">x</a>',
      '&#106;avascript:alert(1)',
    ]) {
      assert.deepEqual(link(hostile), [], hostile);
    }
  });

  it('shows HTML as text', () => {
    const source = '<img src=x onerror=alert(1)> <script>alert(1)</script>';
    assert.deepEqual(parseSource(source), [paragraph(text(source))]);
  });

  it('links the numbers of sources', () => {
    assert.deepEqual(parseInline('So it is [1][12]. [123] [a]'), [
      text('So it is '),
      { type: 'citation', index: 1 },
      { type: 'citation', index: 12 },
      text('. [123] [a]'),
    ]);
  });

  it('renders headings, rules, quotes, code and paragraphs', () => {
    assert.deepEqual(parseSource('# One #\ntext\n---\n> quoted\n> more\n\n```js\na\n\n*b*\n```\nend'), [
      { type: 'heading', level: 1, children: [text('One')] },
      paragraph(text('text')),
      { type: 'rule' },
      { type: 'quote', children: [paragraph(text('quoted'), { type: 'break' }, text('more'))] },
      { type: 'code', text: 'a\n\n*b*' },
      paragraph(text('end')),
    ]);
  });

  it('renders nested lists, with numbers and without', () => {
    assert.deepEqual(parseSource('3. three\n   - a\n   - b\n\n4. four\ngoes on\n\nend'), [
      {
        type: 'list',
        isOrdered: true,
        start: 3,
        items: [
          [
            paragraph(text('three')),
            {
              type: 'list',
              isOrdered: false,
              start: 1,
              items: [[paragraph(text('a'))], [paragraph(text('b'))]],
            },
          ],
          [paragraph(text('four'), { type: 'break' }, text('goes on'))],
        ],
      },
      paragraph(text('end')),
    ]);
  });

  it('renders tables', () => {
    assert.deepEqual(parseSource('| Code | **What** |\n| --- | :-: |\n| M22 | a \\| b |\n| M23 |\n\nend'), [
      {
        type: 'table',
        header: [[text('Code')], [{ type: 'strong', children: [text('What')] }]],
        rows: [
          [[text('M22')], [text('a | b')]],
          [[text('M23')], []],
        ],
      },
      paragraph(text('end')),
    ]);
  });

  it('renders unclosed marks as if they were closed, and hides possible marks', () => {
    assert.deepEqual(parseSource('A **bold', true), [
      paragraph(text('A '), { type: 'strong', children: [text('bold')] }),
    ]);
    for (const [source, shown] of [
      ['A **', 'A '],
      ['A *', 'A '],
      ['see [the shop](https://exam', 'see the shop'],
      ['see [the sh', 'see the sh'],
      ['as said [1', 'as said '],
      ['list:\n-', 'list:'],
      ['list:\n1.', 'list:'],
      ['| a | b', ''],
      ['| a | b |\n| --', ''],
      ['use `npm', 'use npm'],
    ] as const) {
      assert.equal(collectTreeText(parseSource(source, true)), shown, source);
    }
  });

  it('has a start of the last block, before which more text changes nothing', () => {
    const source =
      'one\n\n- a\n- b\n\n```\ncode\n\nmore\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> quote\n\nlast **one** [1]';
    for (let end = 1; end <= source.length; end += 1) {
      const { lastBlockAt } = parseBlocks(source.slice(0, end), true);
      const before = parseSource(source.slice(0, lastBlockAt));
      const whole = parseSource(source);
      assert.deepEqual(before, whole.slice(0, before.length), source.slice(0, end));
    }
  });

  it('never loses a word, and never creates an unsafe link, whatever the text', () => {
    const marks = [
      '*',
      '**',
      '_',
      '`',
      '```',
      '[',
      ']',
      '(',
      ')',
      '](',
      '![',
      '<',
      '>',
      '\n',
      '\n\n',
      '- ',
      '1. ',
      '# ',
      '> ',
      '|',
      '\\',
      '~~',
      ' ',
      'word',
      'https://a.example',
      'javascript:x',
      '[1]',
      '    ',
      '---',
    ];
    const source = fc.array(fc.oneof(fc.constantFrom(...marks), fc.string({ maxLength: 5 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(source, fc.boolean(), (parts, isPartial) => {
        const blocks = parseSource(parts.join(''), isPartial);
        for (const href of collectLinks(blocks)) assert.match(href, /^(https?:|mailto:|tel:)/);
        const words = (value: string) => value.split('word').length;
        // Compare only texts without code blocks and links: the page shows neither the language of a block
        // nor the address of a link.
        if (!isPartial && !/\]\(|```|~~~/.test(parts.join('')))
          assert.equal(words(collectTreeText(blocks)), words(parts.join('')));
      }),
      { numRuns: 500 },
    );
  });

  const LENGTH = 200_000;
  const LIMIT_MS = 2000;
  for (const unit of [
    '[',
    ']',
    '[[]',
    '[](',
    '[x](y',
    '](',
    '*',
    '**a',
    '*a **b ',
    '_',
    '`',
    '``a`',
    '\\',
    '<',
    '![',
    '[a](<',
    '[a](b "',
    '> ',
    '- ',
    '  - a\n',
    '1. a\n',
    '# ',
    '|',
    '| a ',
    '|-',
    '\n',
    'a\n\n',
    '~~~\n',
    'https://',
    'xhttps://',
    'https://a/)',
    '- - ',
    '--- ',
    ' ',
    '\t',
    '#',
    '[1',
    'a|b\n-|-\n',
    '\n>',
    '[a](https://a.example) ',
    '**a** ',
    '😀',
  ]) {
    itInSoak(`takes linear time for repetitions of ${JSON.stringify(unit)}`, () => {
      const source = unit.repeat(LENGTH / unit.length);
      assertCpuBelow(LIMIT_MS, () => [parseBlocks(source), parseBlocks(`a${source}`, true)]);
    });
  }

  itInSoak('takes linear time for blanks between a number sign and a line separator', () => {
    const source = `# ${' '.repeat(LENGTH)}\u2028a`;
    assertCpuBelow(LIMIT_MS, () => parseBlocks(source));
  });
});
