import assert from 'node:assert/strict';
import { withQuery } from '../../console/client/paths.ts';

describe('withQuery', () => {
  const cases: [string, string, Parameters<typeof withQuery>[1], string][] = [
    ['adds parameters to a path', '/api/bots', { q: 'a b', page_size: 50 }, '/api/bots?q=a+b&page_size=50'],
    [
      'adds parameters to the parameters of a URL',
      '/api/bots?page_size=50',
      { cursor: 'c2' },
      '/api/bots?page_size=50&cursor=c2',
    ],
    ['omits parameters without a value', '/api/bots', { q: '', cursor: null, sort: undefined }, '/api/bots'],
  ];
  for (const [title, base, query, expected] of cases)
    it(title, () => assert.equal(withQuery(base, query), expected));
});
