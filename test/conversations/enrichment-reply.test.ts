import assert from 'node:assert/strict';
import { ModelError } from '../../core/answers/chat-model.ts';
import {
  pickFittingValues,
  type ContactField,
} from '../../services/conversations/enrichment/contact-fields.ts';
import {
  toHeadline,
  parseEnrichmentReply,
} from '../../services/conversations/enrichment/enrichment-reply.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const reply = {
  title: 'Day pass',
  summary: 'Asked for the price.',
  sentiment: 'positive',
  fields: { seats: 3 },
};

describe('parseEnrichmentReply', () => {
  for (const [how, text] of [
    ['of JSON alone', JSON.stringify(reply)],
    ['with JSON in a code block', `\`\`\`json\n${JSON.stringify(reply, null, 2)}\n\`\`\``],
    ['with JSON among words', `Here you are:\n${JSON.stringify(reply)}\nAnything else?`],
  ] as const) {
    it(`parses a reply ${how}`, () => assert.deepEqual(parseEnrichmentReply(text), reply));
  }

  for (const text of [
    'I cannot help with that.',
    '',
    '{"title": ',
    '[]',
    '"title"',
    'null',
    '{}',
    '{"title": 3, "summary": null}',
    '{"title": "  "}',
    '} {',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.throws(
        () => parseEnrichmentReply(text),
        (error) => error instanceof ModelError && error.code === 'model_invalid_response',
      ));
  }

  it('does not quote the reply in its errors', () =>
    assert.throws(
      () => parseEnrichmentReply('{"title": ada@work.example}'),
      (error) => error instanceof ModelError && error.cause === undefined,
    ));

  it('drops unknown sentiments and fields that are not an object, and joins lines', () => {
    const odd = { title: 'A\n\0title', summary: ' x ', sentiment: 'furious', fields: ['a'], status: 'ended' };
    assert.deepEqual(parseEnrichmentReply(JSON.stringify(odd)), {
      title: 'A title',
      summary: 'x',
      sentiment: null,
      fields: {},
    });
  });

  it('truncates title and summary between words', () => {
    const { title, summary } = parseEnrichmentReply(
      JSON.stringify({ title: 'word '.repeat(40), summary: 'y'.repeat(9000) }),
    );
    assert.equal(title, `${'word '.repeat(14)}word…`);
    assert.equal(summary?.length, 1000);
    assert.equal(toHeadline('日本語'.repeat(50))?.length, 80);
    assert.equal(toHeadline(' \n '), null);
  });
});

describe('validation of contact fields in a model’s reply', () => {
  const buildField = (
    key: string,
    type: ContactField['type'],
    options: string[] | null = null,
  ): ContactField => ({
    key,
    type,
    label: key,
    options,
  });
  const fields = [
    buildField('name', 'text'),
    buildField('email', 'email'),
    buildField('mobile', 'phone'),
    buildField('seats', 'number'),
    buildField('plan', 'select', ['Small', 'Large']),
    buildField('note', 'text'),
  ];
  const said = 'I am Ada, ada@example.com, call 0171 123-4567.';

  it('accepts values that match their types', () => {
    const values = {
      name: ' Ada ',
      email: 'ADA@example.com',
      mobile: '+49 171 1234567',
      seats: '3',
      plan: 'large',
      note: 'likes\nbees',
    };
    assert.deepEqual(pickFittingValues(fields, values, said), {
      name: 'Ada',
      email: 'ADA@example.com',
      mobile: '+49 171 1234567',
      seats: 3,
      plan: 'Large',
      note: 'likes bees',
    });
  });

  for (const mobile of ['0171 1234567', '+49 (0)171 1234567', '0049171/1234567', '171-123-4567'])
    it(`accepts a phone number that the visitor wrote in another format, such as ${mobile}`, () =>
      assert.deepEqual(pickFittingValues(fields, { mobile }, said), { mobile }));

  it('rejects a phone number made of digits from several numbers', () =>
    assert.deepEqual(
      pickFittingValues(fields, { mobile: '+1 900 1234567' }, 'order 123, quantity 45, room 67'),
      {},
    ));

  for (const [what, value] of Object.entries({
    'an address that the visitor did not write': { email: 'attacker@example.org' },
    'part of an address that the visitor wrote': { email: 'a@example.com' },
    'an invalid address': { email: 'Ada' },
    'a number that the visitor did not write': { mobile: '+49 30 999999' },
    'a number that shares only its end with the visitor’s': { mobile: '+1 900 123 4567' },
    'a value that is not an option of a select': { plan: 'Huge' },
    'text in a number field': { seats: 'many' },
    'a text that is too long': { note: 'x'.repeat(1001) },
    'an empty text': { note: ' ' },
    'an object': { note: { a: 1 }, name: ['Ada'] },
    null: { note: null, seats: null },
    'undeclared keys': { is_lead: true, role: 'admin', constructor: 'x' },
  })) {
    it(`rejects ${what}`, () => assert.deepEqual(pickFittingValues(fields, value, said), {}));
  }
});

describe('matching contact fields with a long transcript', () => {
  for (const [type, value, said] of [
    ['phone', '+49 30 12345678', '12345 '],
    ['email', 'ada@work.example', 'a@b.example '],
  ] as const)
    itInSoak(`takes less than 50 ms for twenty fields of type ${type}`, () => {
      const fields = Array.from({ length: 20 }, (_, at) => ({
        key: `key${at}`,
        label: '',
        type,
        options: null,
      }));
      const values = Object.fromEntries(fields.map(({ key }) => [key, value]));
      const text = said.repeat(60_000 / said.length);
      assertCpuBelow(50, () => pickFittingValues(fields as ContactField[], values, text));
      assert.equal(
        Object.keys(pickFittingValues(fields as ContactField[], values, `${text}${value}`)).length,
        20,
      );
    });
});
