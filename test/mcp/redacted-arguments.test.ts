import assert from 'node:assert/strict';
import { redactedArguments } from '../../core/mcp/redacted-arguments.ts';
import { withoutDetails } from '../../services/contacts/details-in-text.ts';

describe('what the log keeps of a tool’s arguments', () => {
  const kept = (given: Record<string, unknown>) => redactedArguments(given, withoutDetails);

  it('are ids, numbers and short texts as they are', () => {
    const given = {
      bot_id: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
      query: 'Opening hours?',
      limit: 3,
      is_lead: true,
    };
    assert.deepEqual(kept(given), given);
  });

  it('are the first 200 characters of long texts, and no half of a character', () => {
    const { query } = kept({ query: 'a'.repeat(199) + '😀'.repeat(100) });
    assert.deepEqual([(query as string).length, (query as string).isWellFormed()], [199, true]);
  });

  for (const [what, given] of [
    ['an API key', { query: 'use parley_live_0123456789abcdefghij0123456789abcdef please' }],
    ['a key of a model', { query: 'sk-proj-abcdefghijklmnop1234 is mine' }],
    ['a bearer token', { query: 'Authorization: Bearer abcdef0123456789' }],
    ['a JSON web token', { query: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl' }],
    ['a password in an address', { url: 'https://ada:hunter2@example.com/page' }],
    ['an e-mail address', { query: 'What did ada@example.com ask?' }],
    ['a phone number', { query: 'Who called from +351 912 345 678?' }],
    ['a named password whose quotes have no end', { query: 'password: "hunter2' }],
    ['a named password', { query: 'log in with ada, password=hunter2,hunter2!' }],
    ['a named secret in quotes', { query: `{"client_secret": "see hunter2", 'api-key':'my hunter2'}` }],
    ['a header with a password', { query: 'Authorization: Basic hunter2' }],
    [
      'a value in the query of an address',
      { url: 'https://example.com/?page=hunter2&session=x1y2z3#key=t1' },
    ],
    [
      'a token of GitHub',
      { query: 'github_pat_11ABCDEFG0123456789_abcdefghijklmnop or ghs_abcdefghijklmnop' },
    ],
    ['a token of GitLab', { query: 'glpat-abcdefghijklmnop' }],
    ['a key of Google', { query: 'AIzaSyA0123456789abcdefghijklmnop' }],
    ['what is named a secret', { api_key: 'x1y2z3', tags: ['a'], access_token: ['t1'] }],
  ] as const) {
    it(`are nothing of ${what}`, () => {
      const text = JSON.stringify(kept(given));
      assert.doesNotMatch(text, /0123456789|abcdefghijklmnop|eyJ|hunter2|ada@|912|x1y2z3|t1/);
      assert.match(text, /…/);
    });
  }

  it('are addresses with the names of what they ask for', () => {
    const { url } = kept({ url: 'https://example.com/docs?lang=pt&page=3#part' });
    assert.equal(url, 'https://example.com/docs?lang=…&page=…#part');
  });

  it('are found at once in long texts that are nearly secrets', () => {
    for (const piece of ['token=', '?a', 'Bearer ', '"password":"', '://a:', 'secret   ', '&='])
      assert.ok((kept({ query: piece.repeat(200_000 / piece.length) })['query'] as string).length <= 200);
  });

  it('are length and digest of whole documents and conversations', () => {
    const sha256 = '2cf24dba5fb0a30e';
    assert.deepEqual(kept({ text: 'hello' }), { text: { length: 5, sha256 } });
    const { history } = kept({ history: [{ role: 'user', content: 'My name is Ada.' }] });
    assert.deepEqual(Object.keys(history as object), ['length', 'sha256']);
  });

  it('are at most twenty, of objects that nobody knows length and digest', () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`name${index}`, { deep: 'Ada' }]),
    );
    const text = JSON.stringify(kept(many));
    assert.equal(Object.keys(kept(many)).length, 20);
    assert.doesNotMatch(text, /Ada/);
  });
});
