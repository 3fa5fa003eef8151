import assert from 'node:assert/strict';
import { renderValueJson, renderValueText } from '../../core/flows/value-text.ts';

const EVERYTHING = 1_000_000;

describe('renderValueText', () => {
  for (const [value, text] of [
    [undefined, ''],
    [null, ''],
    ['a', 'a'],
    [1.5, '1.5'],
    [true, 'true'],
    [['a', 1, null, ['b', 'c'], { d: ['e'] }], 'a, 1, , b, c, {"d":["e"]}'],
    [{ a: 'ä"', b: [null, { c: true }] }, '{"a":"ä\\"","b":[null,{"c":true}]}'],
    [[], ''],
  ] as const)
    it(`renders ${JSON.stringify(value)} as ${JSON.stringify(text)}`, () =>
      assert.equal(renderValueText(value, EVERYTHING), text));

  it('stops at its limit, and reads no further', () => {
    let reads = 0;
    const list = new Proxy(
      Array.from({ length: 100_000 }, () => 'ab'),
      {
        get: (target, key) => {
          reads += 1;
          return Reflect.get(target, key) as unknown;
        },
      },
    );
    assert.equal(renderValueText(list, 10), 'ab, ab, ab');
    assert.ok(reads < 20, String(reads));
    assert.equal(renderValueText('abcdef', 3), 'abc');
    assert.equal(renderValueText({ a: 'x'.repeat(100) }, 10), '{"a":"xxxx');
  });
});

describe('renderValueJson', () => {
  it('returns the same text as JSON.stringify', () => {
    const value = JSON.parse(
      '{"a":[1,-2e9,"\\u2028\\ud800",[],{}],"__proto__":{"b":null},"1":false}',
    ) as unknown;
    assert.equal(renderValueJson(value, EVERYTHING), JSON.stringify(value));
  });
});
