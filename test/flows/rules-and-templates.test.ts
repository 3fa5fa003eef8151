import assert from 'node:assert/strict';
import { ComparedValue } from '../../core/flows/compared-value.ts';
import { isPath, getValueAt } from '../../core/flows/flow-values.ts';
import { operatorNames, operators, type OperatorName } from '../../core/flows/operators.ts';
import { StepWork, WorkLimitExceeded } from '../../core/flows/step-work.ts';
import {
  renderUrl,
  renderHeader,
  renderJson,
  renderMarkdown,
  renderPlainText,
  listUnknownPaths,
} from '../../core/flows/templates.ts';

const NONE = undefined;

function compare(name: OperatorName, value: unknown, than: unknown, work = new StepWork()): boolean {
  return operators[name](new ComparedValue(value, work), new ComparedValue(than, work));
}

describe('paths in flows', () => {
  const own = JSON.parse('{"__proto__": {"a": 1}, "constructor": "Ltd"}') as object;
  const values = { vars: { city: 'Porto', list: ['a', { b: 'c' }], own }, last_message: 'Hello' };

  for (const [path, value] of [
    ['vars.city', 'Porto'],
    ['last_message', 'Hello'],
    ['vars.list.0', 'a'],
    ['vars.list.1.b', 'c'],
    ['vars.list.length', 2],
    ['vars.own.constructor', 'Ltd'],
    ['vars.own.__proto__.a', 1],
    ['vars.__proto__', NONE],
    ['vars.constructor', NONE],
    ['vars.constructor.prototype', NONE],
    ['vars.city.length', NONE],
    ['vars.list.map', NONE],
    ['vars.list.1.b.c', NONE],
    ['vars.own.__proto__.a.b', NONE],
    ['toString', NONE],
  ] as const)
    it(`resolve only own properties: ${path}`, () => assert.deepEqual(getValueAt(values, path), value));

  for (const [path, is] of [
    ['vars.city', true],
    ['last_message', true],
    ['now.date', true],
    ['http.body.items.0', true],
    ['contact.custom_fields.size', true],
    ['vars', false],
    ['last_message.length', false],
    ['vars.a.b.c.d', false],
    ['env.HOME', false],
    ['vars..a', false],
    ['vars.a b', false],
    ['', false],
  ] as const)
    it(`are ${is ? 'accepted' : 'refused'} by isPath: ${path}`, () => assert.equal(isPath(path), is));
});

describe('operators in flows', () => {
  const cases: Record<OperatorName, [value: unknown, than: unknown, fits: boolean][]> = {
    equals: [
      ['Porto', 'PORTO', true],
      ['Straße', 'STRASSE', true],
      ['ΟΔΟΣ', 'οδος', true],
      ['ｐｏｒｔｏ', 'porto', true],
      ['01', 1, true],
      ['1.50', '1.5', true],
      ['1e3', 1000, false],
      [' a ', 'a', true],
      [NONE, '', false],
      [true, 'true', true],
    ],
    not_equals: [
      ['a', 'b', true],
      ['a', 'A', false],
      [NONE, 'a', true],
    ],
    contains: [
      ['Blue bike', 'BIKE', true],
      [['red', 'blue'], 'Blue', true],
      [['red', 'blue'], 'blu', false],
      ['bike', '', false],
      [NONE, 'a', false],
      ['a.c', '.', true],
      ['abc', 'a.c', false],
    ],
    not_contains: [
      ['Blue bike', 'car', true],
      [NONE, 'a', true],
      ['Blue bike', 'bike', false],
    ],
    starts_with: [
      ['Order 12', 'order', true],
      ['My order', 'order', false],
      ['Order', '', false],
      [NONE, 'o', false],
    ],
    ends_with: [
      ['Order 12', '12', true],
      ['Order 12', '1', false],
    ],
    in: [
      ['b', ['a', 'B'], true],
      ['b', 'a, b', true],
      ['2', [1, 2], true],
      ['c', ['a', 'b'], false],
      [NONE, ['a'], false],
    ],
    not_in: [
      ['c', ['a', 'b'], true],
      ['a', 'a', false],
    ],
    gt: [
      ['10', '9', true],
      [10, 10, false],
      ['b', 'a', true],
      ['2026-10-01', '2026-09-30', true],
      [NONE, 1, false],
      ['', '0', false],
    ],
    gte: [
      [10, '10', true],
      [9, 10, false],
    ],
    lt: [
      ['9', '10', true],
      ['9 kg', '10 kg', false],
      [NONE, 1, false],
    ],
    lte: [
      ['10.0', 10, true],
      [11, 10, false],
    ],
    is_set: [
      ['', NONE, true],
      [0, NONE, true],
      [NONE, NONE, false],
      [null, NONE, false],
    ],
    is_empty: [
      [' ', NONE, true],
      [[], NONE, true],
      [{}, NONE, true],
      [NONE, NONE, true],
      [0, NONE, false],
      [false, NONE, false],
    ],
    is_true: [
      [true, NONE, true],
      ['Yes', NONE, true],
      ['on', NONE, true],
      [1, NONE, true],
      ['no', NONE, false],
      [0, NONE, false],
      [NONE, NONE, false],
    ],
  };

  it('number fifteen', () => assert.equal(operatorNames.length, 15));

  for (const name of operatorNames)
    for (const [value, than, fits] of cases[name])
      it(`evaluate ${JSON.stringify(value)} ${name} ${JSON.stringify(than)} to ${fits}`, () =>
        assert.equal(compare(name, value, than), fits));

  it('compare the first 4,000 characters of a value', () => {
    assert.equal(compare('contains', `${'a'.repeat(3999)}b`, 'b'), true);
    assert.equal(compare('contains', `${'a'.repeat(4000)}b`, 'b'), false);
    assert.equal(compare('equals', 'é'.repeat(4000), 'É'.repeat(5000)), true);
  });

  it('compare the first 500 items of a list', () => {
    const list = Array.from({ length: 501 }, (_, at) => at);
    assert.equal(compare('contains', list, 499), true);
    assert.equal(compare('contains', list, 500), false);
    assert.equal(compare('in', 499, list), true);
    assert.equal(compare('in', 500, list.join()), false);
  });

  it('case-fold a value once, however many rules compare it', () => {
    const work = new StepWork();
    const message = new ComparedValue('Ж'.repeat(4000), work);
    const word = new ComparedValue('zebra', work);
    operators.equals(message, word);
    const once = work.spent;
    for (let rule = 0; rule < 1000; rule += 1) operators.starts_with(message, word);
    assert.equal(work.spent, once);
  });

  it('throw WorkLimitExceeded in a comparison that exceeds the limit', () => {
    const work = new StepWork(10_000);
    assert.throws(() => compare('equals', 'Ж'.repeat(4000), 'a', work), WorkLimitExceeded);
  });
});

describe('templates in flows', () => {
  const values = {
    vars: {
      name: 'Ada',
      markup: '*[x](y)*\n# a',
      braces: '{{vars.name}}',
      half: '{{vars.',
      quote: 'a"b\\',
      n: 5,
      up: '..',
      path: 'a/b?c#d e',
      lines: 'a\r\nX-Evil: 1',
      none: null,
      nothing: '',
      list: ['a', 'b'],
    },
    last_message: 'Hi',
  };

  for (const [template, text] of [
    ['Hello {{vars.name}}, {{ last_message }}', 'Hello Ada, Hi'],
    ['{{vars.missing|friend}}', 'friend'],
    ['{{vars.nothing| you }}', ' you '],
    ['{{vars.none}}.', '.'],
    ['{{vars.list}}', 'a, b'],
    ['{{vars.braces}}', '{{vars.name}}'],
    ['{{vars.half}}name}}', '{{vars.name}}'],
    ['{{vars.missing|{{vars.name}}}}', '{{vars.missing|Ada}}'],
    ['{{constructor}} {{vars.constructor}}', '{{constructor}} '],
    ['{{vars.name', '{{vars.name'],
    ['$& {{vars.name}}', '$& Ada'],
  ] as const)
    it(`are filled in once, and a template within a value stays text: ${template}`, () =>
      assert.equal(renderPlainText(template, values), text));

  it('escape Markdown syntax in values', () => {
    assert.equal(renderMarkdown('**{{vars.markup}}**', values), '**\\*\\[x\\](y)\\* \\# a**');
    assert.equal(renderMarkdown('{{vars.a}}', { vars: { a: '1. x' } }), '1\\. x');
    assert.equal(renderMarkdown('{{vars.a}}', { vars: { a: ' - x' } }), '\\- x');
  });

  for (const [template, json] of [
    ['{"a": "{{vars.quote}}"}', { a: 'a"b\\' }],
    ['{"a": {{vars.quote}}}', { a: 'a"b\\' }],
    ['{"a": {{vars.n}}, "b": "{{vars.n}}"}', { a: 5, b: '5' }],
    ['{"a": {{vars.list}}}', { a: ['a', 'b'] }],
    ['{"a": {{vars.missing}}}', { a: null }],
    ['{"a": {{vars.missing|0}}, "b": {{vars.missing|no}}}', { a: 0, b: 'no' }],
    ['{"\\"": "{{vars.name}}"}', { '"': 'Ada' }],
  ] as const)
    it(`produce valid JSON with any value: ${template}`, () =>
      assert.deepEqual(JSON.parse(renderJson(template, values)), json));

  for (const [template, address] of [
    ['https://a.example/o/{{vars.path}}', 'https://a.example/o/a%2Fb%3Fc%23d%20e'],
    ['https://a.example/o?q={{vars.path}}', 'https://a.example/o?q=a%2Fb%3Fc%23d%20e'],
    ['https://a.example/o/{{vars.up}}/x', null],
    ['https://a.example/o/.{{vars.missing|.}}', null],
    ['https://a.example/o\\{{vars.up}}\\x', null],
    ['https://a.example/o?q={{vars.up}}', 'https://a.example/o?q=..'],
    ['https://a.example/{{vars.half}}', 'https://a.example/%7B%7Bvars.'],
  ] as const)
    it(`never change the host of a URL by a value: ${template}`, () =>
      assert.equal(renderUrl(template, values), address));

  it('read no further values once the text is too long', () => {
    let reads = 0;
    const vars = {
      get long() {
        reads += 1;
        return 'x'.repeat(200_000);
      },
    };
    assert.equal(renderPlainText('{{vars.long}}'.repeat(3), { vars }).length, 20_000);
    assert.equal(reads, 1);
    assert.equal(renderPlainText('{{vars.long}}', { vars }, { maxLength: 10 }), 'x'.repeat(10));
  });

  it('put the value of a header on one line', () =>
    assert.equal(renderHeader('{{vars.lines}}', values), 'a X-Evil: 1'));

  it('report paths between braces that are not valid', () =>
    assert.deepEqual(listUnknownPaths('{{vars.a}} {{name}} {{}} {{vars.a.b.c.d|x}}'), [
      'name',
      '',
      'vars.a.b.c.d',
    ]));
});
