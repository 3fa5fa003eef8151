import assert from 'node:assert/strict';
import { parseLightJson } from '../../core/text/json-weight.ts';

const MAX = { values: 5, keys: 2, levels: 3 };

describe('parseLightJson', () => {
  it('returns the value of a text within the bounds', () => {
    assert.deepEqual(parseLightJson('{"a":[1,2],"b":"[[[[,,,,"}', MAX), { a: [1, 2], b: '[[[[,,,,' });
    assert.equal(parseLightJson('null', MAX), null);
  });

  const refused: [what: string, json: string][] = [
    ['too many values', '[1,2,3,4,5]'],
    ['too many keys', '{"a":1,"b":2,"c":3}'],
    ['too many levels', '[[[[]]]]'],
    ['text that is not JSON', '{'],
    ['nothing', ''],
  ];
  for (const [what, json] of refused)
    it(`returns undefined for ${what}`, () => assert.equal(parseLightJson(json, MAX), undefined));
});
