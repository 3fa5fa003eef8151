import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Keyring } from '../../adapters/keys/keyring.ts';
import { redactArguments } from '../../core/mcp/redacted-arguments.ts';
import { maskDetails } from '../../services/contacts/details-in-text.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('a tool’s arguments in the log', () => {
  const keyring = new Keyring(randomBytes(32).toString('base64'));
  const redactForLog = (given: Record<string, unknown>) =>
    redactArguments(given, {
      removeDetails: maskDetails,
      digest: (text) => keyring.digest('logged-text', text),
    });

  it('contain ids, numbers and short texts verbatim', () => {
    const given = {
      bot_id: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
      query: 'Opening hours?',
      limit: 3,
      is_lead: true,
    };
    assert.deepEqual(redactForLog(given), given);
  });

  it('contain the first 200 characters of long texts, without splitting a character', () => {
    const { query } = redactForLog({ query: 'a'.repeat(199) + '😀'.repeat(100) });
    assert.deepEqual([(query as string).length, (query as string).isWellFormed()], [199, true]);
  });

  for (const [what, given] of [
    ['an API key', { query: 'use parley_live_0123456789abcdefghij0123456789abcdef please' }],
    ['a key of a model', { query: 'sk-proj-abcdefghijklmnop1234 is mine' }],
    ['a bearer token', { query: 'Authorization: Bearer abcdef0123456789' }],
    ['a JSON web token', { query: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl' }],
    ['a password in an address', { url: 'https://ada:hunter2@example.com/page' }],
    ['an email address', { query: 'What did ada@example.com ask?' }],
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
    ['a value with a secret’s name', { api_key: 'x1y2z3', tags: ['a'], access_token: ['t1'] }],
  ] as const) {
    it(`contain no part of ${what}`, () => {
      const text = JSON.stringify(redactForLog(given));
      assert.doesNotMatch(text, /0123456789|abcdefghijklmnop|eyJ|hunter2|ada@|912|x1y2z3|t1/);
      assert.match(text, /…/);
    });
  }

  const ADDRESS = 'jane.doe@leak.example';
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  for (const [what, form] of [
    ['in plain text', ADDRESS],
    ['percent-encoded', 'jane.doe%40leak.example'],
    ['percent-encoded twice', 'jane.doe%2540leak%252Eexample'],
    ['in base64', base64(ADDRESS)],
    ['in base64url after other letters', `id_${Buffer.from(ADDRESS).toString('base64url')}`],
    ['in base64 twice', base64(base64(ADDRESS))],
    ['percent-encoded within base64', base64(encodeURIComponent(ADDRESS))],
    ['in hexadecimal', Buffer.from(ADDRESS).toString('hex')],
    ['in base64 three times', base64(base64(base64(ADDRESS)))],
    ['in base64 of two lines', base64(ADDRESS).replace(/^.{12}/, '$&\r\n')],
    ['in base64 with a space', base64(ADDRESS).replace(/^.{8}/, '$& ')],
    ['in hexadecimal with colons', Buffer.from(ADDRESS).toString('hex').match(/../g)!.join(':')],
    ['in hexadecimal with spaces', Buffer.from(ADDRESS).toString('hex').match(/../g)!.join(' ')],
    ['in circled letters', 'jane.doe@ⓛⓔⓐⓚ.ⓔⓧⓐⓜⓟⓛⓔ'],
    ['in letters in brackets', 'jane.doe@⒧⒠⒜⒦.example'],
    ['with an entity without its end', 'jane.doe&commat leak.example'],
    ['with an octal escape', String.raw`jane.doe\100leak.example`],
    ['in full-width forms', 'jane.doe＠leak．example'],
    ['with an ideographic full stop', 'jane.doe@leak。example'],
    ['with HTML entities', 'jane.doe&#64;leak&period;example'],
    ['with entities of entities', 'jane.doe&amp;#x40;leak.example'],
    ['in quoted-printable', 'jane.doe=40leak.example'],
    ['with an escape of JSON', String.raw`jane.doe\u0040leak.example`],
    ['with an escape of JavaScript', String.raw`jane.doe\x40leak.example`],
    ['spelled out', 'jane.doe (at) leak (dot) example'],
    ['spelled without brackets', 'jane.doe at leak dot example'],
    ['with spaces', 'jane.doe @ leak . example'],
    ['with invisible characters', 'jane\u200b.doe\u00ad@leak.example'],
    ['in quotes', '"jane.doe"@leak.example'],
    ['in the path of an address', 'https://x.example/jane.doe@leak.example'],
    ['of a host without dots', 'jane.doe@leak'],
  ] as const)
    it(`contain no email address ${what}, in a value, a list or a name`, () => {
      for (const given of [{ query: form }, { query: `say ${form} ok` }, { tags: [form] }, { [form]: 1 }]) {
        const text = JSON.stringify(redactForLog(given));
        assert.match(text, /…/);
        assert.doesNotMatch(text, /jane|leak|amFu|6a616e65/i);
      }
    });

  for (const [what, text] of [
    ['a phone number, percent-encoded', '%2B351%20912%20345%20678'],
    ['a phone number in full-width forms', '＋３５１ ９１２ ３４５ ６７８'],
    ['a phone number in base64', base64('call +351 912 345 678')],
    ['a password, percent-encoded', 'password%3Dhunter2'],
    ['a password in base64', base64('password=hunter2')],
    ['a phone number without a plus sign or label', '351912345678'],
    ['a phone number in the path of an address', 'https://wa.me/351912345678'],
    ['a phone number in Arabic digits', '٣٥١٩١٢٣٤٥٦٧٨'],
    ['a secret of a bot', 'idsec_0123456789abcdefghij0123456789abcdef'],
    ['a password in a header', 'Basic YWRhOmh1bnRlcjI='],
    ['a short name of a password', 'pwd=hunter2'],
    ['a hook of Slack', 'https://hooks.slack.com/services/T0123456789/B0123456789/hunter2hunter2'],
    ['a bearer token, percent-encoded', 'Bearer%20abcdef0123456789'],
  ] as const)
    it(`contain no part of ${what}`, () => {
      const { query } = redactForLog({ query: text }) as { query: string };
      assert.match(query, /…/);
      assert.doesNotMatch(query, /912|９１２|٩١٢|hunter2|0123456789|YWRh/);
    });

  it('contain texts without secrets verbatim', () => {
    for (const query of [
      'What does CamelCaseWords mean?',
      '50% of 20 = 10, R&D; a&b',
      '2026-11-28T10:00:00.000Z',
      'docs/guides/QuickStart.md',
      'Öffnungszeiten im Café',
      'limit=40',
      'deadbeefdeadbeefdeadbeef',
    ])
      assert.deepEqual(redactForLog({ query }), { query });
  });

  for (const [what, text] of [
    ['base64 of base64', base64(base64('a.b-'.repeat(120)))],
    ['hexadecimal digits', 'a1B2'.repeat(200)],
    ['percent signs', '%25'.repeat(266)],
    ['ligatures', '\ufdfa'.repeat(800)],
    ['dots', 'a.'.repeat(400)],
  ] as const)
    itInSoak(`are redacted in at most 100 ms in twenty texts of ${what}`, () => {
      const names = Array.from({ length: 20 }, (_, at) => `${text.slice(0, 190)}${at}`);
      const given = Object.fromEntries(names.map((name) => [name, text]));
      assertCpuBelow(100, () => redactForLog(given));
    });

  it('keep names distinct that would be equal after redaction', () => {
    const given = { 'a@b.example': 1, 'c@d.example': 2, password: 4711, phone: 351912345678 };
    assert.deepEqual(redactForLog(given), { '…': 1, '… 2': 2, password: '…', phone: '…' });
  });

  it('can be stored, whatever was sent', () => {
    assert.deepEqual(redactForLog({ query: 'a\u0000b\ud800', 'n\u0000': 'x' }), {
      query: 'ab\ufffd',
      n: 'x',
    });
  });

  it('contain URLs with the names of their parameters, but not the values', () => {
    const { url } = redactForLog({ url: 'https://example.com/docs?lang=pt&page=3#part' });
    assert.equal(url, 'https://example.com/docs?lang=…&page=…#part');
  });

  it('are redacted in linear time in long texts that almost contain secrets', () => {
    for (const piece of ['token=', '?a', 'Bearer ', '"password":"', '://a:', 'secret   ', '&='])
      assert.ok(
        (redactForLog({ query: piece.repeat(200_000 / piece.length) })['query'] as string).length <= 200,
      );
  });

  it('contain only length and digest of names beyond 8,000 characters in all', () => {
    const names = Array.from(
      { length: 20 },
      (_, index) => `${'abcdefghijklmnopqrst'[index]}${'/0a'.repeat(266)}`,
    );
    const args = Object.fromEntries(names.map((name) => [name, true]));
    const logged = Object.keys(redactForLog(args));
    const digest = keyring.digest('logged-text', names[19]!).slice(0, 16);
    assert.equal(logged[19], `799 characters, ${digest}`);
    assert.equal(logged.filter((name) => name.startsWith('799 characters')).length, 10);
  });

  it('contain only length and digest of whole documents and conversations', () => {
    const digest = keyring.digest('logged-text', 'hello').slice(0, 16);
    assert.deepEqual(redactForLog({ text: 'hello' }), { text: { length: 5, digest } });
    const { history } = redactForLog({ history: [{ role: 'user', content: 'My name is Ada.' }] });
    assert.deepEqual(Object.keys(history as object), ['length', 'digest']);
  });

  it('are at most twenty, and contain only length and digest of unknown objects', () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`name${index}`, { deep: 'Ada' }]),
    );
    const text = JSON.stringify(redactForLog(many));
    assert.equal(Object.keys(redactForLog(many)).length, 20);
    assert.doesNotMatch(text, /Ada/);
  });
});
