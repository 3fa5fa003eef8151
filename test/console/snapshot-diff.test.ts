import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffLists } from '../../console/bots/versions/diff-lists.ts';
import { diffSnapshots, type Difference } from '../../console/bots/versions/diff-snapshots.ts';
import { diffTexts, type TextPart } from '../../console/bots/versions/diff-texts.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const markParts = (parts: readonly TextPart[]) =>
  parts
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`))
    .join('');

const joinSide = (parts: readonly TextPart[], gone: TextPart['kind']) =>
  parts
    .filter(({ kind }) => kind !== gone)
    .map(({ text }) => text)
    .join('');

describe('diffTexts', () => {
  it('shows inserted and deleted words, with the spaces between them, in any script', () => {
    const cases: [string, string, string][] = [
      ['Be brief and kind.', 'Be short and kind.', 'Be [-brief-]{+short+} and kind.'],
      ['You are very brief.', 'You are not long.', 'You are [-very brief-]{+not long+}.'],
      ['Отвечай кратко.', 'Отвечай подробно.', 'Отвечай [-кратко-]{+подробно+}.'],
      ['请简短回答', '请详细回答', '请[-简短-]{+详细+}回答'],
      ['', 'New', '{+New+}'],
      ['Gone', '', '[-Gone-]'],
      ['One\nTwo', 'One\n\nTwo', 'One\n{+\n+}Two'],
      ['same', 'same', 'same'],
    ];
    for (const [before, after, expected] of cases)
      assert.equal(markParts(diffTexts(before, after)), expected);
  });

  it('returns all parts of both texts', () => {
    const text = fc.array(fc.constantFrom('a', 'bb', ' ', '\n', 'é', '😀', '.', '\u200d'), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [before, after] = [one.join(''), other.join('')];
        const parts = diffTexts(before, after);
        assert.deepEqual([joinSide(parts, 'added'), joinSide(parts, 'removed')], [before, after]);
      }),
      { numRuns: 300 },
    );
  });

  itInSoak('finds a word among 20,000 characters, and stops early if nothing matches', () => {
    const wordsFrom = (start: string) =>
      Array.from({ length: 4000 }, (_, at) => `${start}${at}`)
        .join(' ')
        .slice(0, 20_000);
    const long = wordsFrom('w');
    const changed = long.replace(' w2000 ', ' another ');
    assert.ok(
      markParts(diffTexts(long, changed)) === long.replace(' w2000 ', ' [-w2000-]{+another+} '),
      'a word is another',
    );
    const paragraph = `${wordsFrom('p')}\n`;
    const grown = markParts(diffTexts(`One\nTwo ${long}\nEnd\n`, `Uno\nTwo ${long}\n${paragraph}End\n`));
    assert.ok(grown === `[-One-]{+Uno+}\nTwo ${long}\n{+${paragraph}+}End\n`, 'a paragraph has come');
    const other = wordsFrom('x');
    assertCpuBelow(3000, () => {
      const parts = diffTexts(long, other);
      assert.ok(joinSide(parts, 'added') === long && joinSide(parts, 'removed') === other, 'nothing is lost');
    });
  });
});

describe('diffLists', () => {
  const diff = (before: string[], after: string[]) => {
    const { items, unchanged } = diffLists(before, after, (item) => item.split('=')[0]!, Object.is);
    return [items.map(({ kind, key, position }) => `${kind} ${key} ${position}`), unchanged];
  };

  it('finds added, removed, changed and moved items by key, with as few moves as possible', () => {
    assert.deepEqual(diff(['a', 'b', 'c'], ['a', 'b', 'c']), [[], 3]);
    assert.deepEqual(diff(['a', 'b', 'c'], ['c', 'a', 'b']), [['moved c 1'], 2]);
    assert.deepEqual(diff(['a', 'b=1', 'c'], ['x', 'a', 'b=2']), [
      ['added x 1', 'changed b 3', 'removed c 3'],
      1,
    ]);
    assert.deepEqual(diff(['a=1', 'b', 'c'], ['b', 'c', 'a=2']), [['changed and moved a 3'], 2]);
    assert.deepEqual(diff(['a', 'a'], ['a']), [['removed a (2) 2'], 1]);
    assert.deepEqual(diff([], ['a']), [['added a 1'], 0]);
  });
});

describe('diffSnapshots', () => {
  const kinds = (differences: readonly Difference[]): string[] =>
    differences.map(({ name, kind }) => `${name}: ${kind}`);

  it('compares values, texts, lists and groups, and omits those that are equal', () => {
    const before = {
      name: 'Help desk',
      system_prompt: 'You help.\nBe brief.',
      is_public: true,
      starter_questions: ['Where?'],
      lead_capture_config: { enabled: true, fields: [{ key: 'name', label: 'Name' }] },
      custom_endpoint_config: { endpoint_url: 'https://a.example', has_auth_header_value: true },
      allowed_domains: null,
    };
    const after = {
      ...before,
      name: 'Service',
      system_prompt: 'You help.\nBe kind.',
      is_public: false,
      starter_questions: ['When?', 'Where?'],
      lead_capture_config: { fields: [{ label: 'Your name', key: 'name' }], enabled: true },
      custom_endpoint_config: { has_auth_header_value: false, endpoint_url: 'https://a.example' },
      allowed_domains: ['a.example'],
      later_field: 7,
    };
    const differences = diffSnapshots(before, after);
    assert.deepEqual(kinds(differences), [
      'Name: value',
      'Prompt: text',
      'Starter questions: list',
      'Lead form: group',
      'Allowed domains: list',
      'Publicly available: value',
      'Later field: value',
    ]);
    assert.deepEqual(differences[0], { name: 'Name', kind: 'value', before: 'Help desk', after: 'Service' });
    assert.deepEqual(differences[3], {
      name: 'Lead form',
      kind: 'group',
      differences: [
        {
          name: 'Fields',
          kind: 'list',
          unchanged: 0,
          items: [
            {
              kind: 'changed',
              position: 1,
              title: 'Your name',
              differences: [{ name: 'Label', kind: 'value', before: 'Name', after: 'Your name' }],
            },
          ],
        },
      ],
    });
    assert.deepEqual(diffSnapshots(before, { ...before, description: null }), []);
  });
});
