import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { getCheckedSchema } from '../../api/http/operation.ts';
import { compileCheck } from '../../api/http/schemas/validate.ts';
import { operations } from '../../api/registry.ts';
import { buildTextCases } from '../support/validation-cases.ts';
import { buildValidBody } from '../support/operation-calls.ts';
import { KnownFields } from '../support/known-fields.ts';

/**
 * Text fields of requests that are not names, by reason: texts of several lines, and values that services
 * parse or compare.
 */
const OTHER_TEXTS: Record<string, RegExp> = {
  'Texts of several lines': list(
    `content text message reason comment answer description system_prompt welcome_message fallback_message waiting_message
     closed_message intro raw_text note query question inputs[] csv`,
  ),
  'Credentials, which are compared or exchanged': list(
    `api_key password current_password new_password token code challenge_token refresh_token identity_token
     visitor_secret invitation_token device_code code_verifier nonce state iss`,
  ),
  'Ids of other systems': list(
    `visitor_id client_id option_id booking_calendar_id calendar_ids[] mentions[] ids[]`,
  ),
  'Values that services parse or compare with texts': list(
    `time_zone timezone url website_url page_url referrer link encoding language trigger destination notify[] query[]
     external_id model response_path tags source words[] category choice`,
  ),
};

/** Returns a pattern that matches paths of fields with one of these names at the end. */
function list(names: string): RegExp {
  const escaped = names.split(/\s+/).map((name) => name.replaceAll('[', '\\[').replaceAll(']', '\\]'));
  return new RegExp(`(^|\\.)(${escaped.join('|')})$`);
}
const hostile = [
  'Ada\u0000',
  'Ada\nLovelace',
  'Ada\u007f',
  'Ada\u0085',
  'Ada\u2028',
  'Ada \u202eecalevoL',
  'Ada\u2066',
];
const blank = ['   ', '\u200b\u200b', '\u3164\u00ad'];
const fine = ['Ñandú 😊', 'مقهى الورد', 'می‌خواهم', '👩‍👩‍👧 Family', 'שלום\u200f Café', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 Pub'];

interface TextField {
  operation: (typeof operations)[number];
  field: string;
  schema: TSchema;
}

/** Lists the fields of request bodies that accept any text. */
function listTextFields(): TextField[] {
  return operations.flatMap((operation) => {
    const body = getCheckedSchema(operation.body);
    return body ? findTexts(body, '').map((each) => ({ operation, ...each })) : [];
  });
}

function findTexts(schema: TSchema, field: string): { field: string; schema: TSchema }[] {
  const types = [schema['type']].flat();
  if (types.includes('string'))
    return schema['enum'] || schema['format'] || schema['const'] !== undefined ? [] : [{ field, schema }];
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>);
  return [
    ...properties.flatMap(([name, property]) => findTexts(property, field ? `${field}.${name}` : name)),
    ...(schema['items'] ? findTexts(schema['items'] as TSchema, `${field}[]`) : []),
  ];
}

const isLine = ({ schema }: TextField) => schema['x-single-line'] === true;
const refusesLineBreaks = ({ schema }: TextField) =>
  typeof schema['pattern'] === 'string' &&
  hostile.every((text) => !new RegExp(schema['pattern'] as string, 'u').test(text));

describe('names, titles and labels', () => {
  const fields = listTextFields();

  it('are single lines in each request, unless they are in OTHER_TEXTS', () => {
    const others = fields.filter((each) => !isLine(each) && !refusesLineBreaks(each));
    const unjudged = others.filter(
      ({ field }) => !Object.values(OTHER_TEXTS).some((names) => names.test(field)),
    );
    assert.deepEqual(
      unjudged.map(({ operation, field }) => `${operation.id} ${field}`),
      [],
      'Declare it by `SingleLine`, or add it to OTHER_TEXTS.',
    );
    assert.ok(fields.filter(isLine).length > 60, String(fields.filter(isLine).length));
  });

  it('include all fields called name, title, label and the like, except texts of visitors', () => {
    const named = fields.filter(({ field }) =>
      /(^|[._])(name|title|label|placeholder|summary|choice|category)$/.test(field),
    );
    const loose = named.filter((each) => !isLine(each) && !refusesLineBreaks(each));
    assert.deepEqual(
      loose.map(({ operation, field }) => `${operation.id} ${field}`),
      // These two fields contain words of a visitor, which are only compared with names.
      ['resolveWidgetDirectory category', 'resolveWidgetDirectory choice'],
    );
  });

  for (const operation of operations) {
    const own = fields.filter((each) => each.operation === operation && isLine(each));
    if (own.length === 0) continue;
    it(`in ${own.length} fields of ${operation.id} accept emoji, Arabic and joiners, but no control characters or direction overrides`, () => {
      const check = compileCheck(getCheckedSchema(operation.body)!, 'body');
      const names = new Set(own.map(({ field }) => field));
      const buildCases = (texts: string[]) =>
        buildTextCases(operation, buildValidBody(operation), new NewFields(), () => texts).filter(
          ({ part, field }) => part === 'body' && names.has(field.replaceAll(/\[\d+\]/g, '[]')),
        );
      const findFault = (field: string, value: unknown) =>
        check(structuredClone(value)).filter(
          (detail) => detail.field === field && detail.code !== 'minLength',
        );
      const refused = buildCases(hostile);
      assert.equal(refused.length, own.length * hostile.length);
      for (const { field, value } of refused)
        assert.ok(findFault(field, value).length > 0, `${field} ${JSON.stringify(value)}`);
      for (const { field, value } of buildCases(fine))
        assert.deepEqual(
          findFault(field, value).filter(({ code }) => code !== 'maxLength'),
          [],
          `${field} ${JSON.stringify(value)}`,
        );
      const needed = new Set(own.filter(({ schema }) => schema['minLength']).map(({ field }) => field));
      for (const { field, value } of buildCases(blank))
        assert.equal(
          findFault(field, value).some(({ code }) => code === 'single_line'),
          needed.has(field.replaceAll(/\[\d+\]/g, '[]')),
          `${field} ${JSON.stringify(value)}`,
        );
    });
  }
});

/** Field checks that let every field accept any text. */
class NewFields extends KnownFields {
  override addAndCheck(): boolean {
    return false;
  }
}
