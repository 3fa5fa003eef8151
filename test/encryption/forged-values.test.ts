import assert from 'node:assert/strict';
import { DataSource } from 'typeorm';
import { DataKey, generateKey } from '../../adapters/keys/data-key.ts';
import { newId } from '../../core/ids.ts';
import { convertRows } from '../../database/content-conversion.ts';
import { attachContentKeys } from '../../database/content-keys.ts';
import {
  listContentEntities,
  decryptAvailableRows,
  decryptGenuineRows,
  decryptJson,
  decryptRow,
  decryptStoredRow,
  requireContent,
  sealRowWith,
  type Content,
  type ContentRow,
} from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { Sealed } from '../../database/sealed-columns.ts';
import type { ContentColumn } from '../../database/stored-values.ts';
import '../../entities/data-source.ts';

const ORG = newId();

/** A genuine plain value for each type of encrypted column, as a repository writes it. */
const genuine: Record<ContentColumn['type'], unknown> = {
  text: 'Where is my bike?',
  list: ['Bikes', 'Cargo'],
  json: { contact_id: ORG, fields: { name: 'Zoë' } },
  jsonb: { contact_id: ORG, fields: { name: 'Zoë' } },
};

const json: Record<string, unknown> = {
  'an object': { iban: 'FORGED' },
  'an object with an empty seal': { sealed: '', iban: 'FORGED' },
  'an object with a seal that is not a string': { sealed: { iban: 'FORGED' } },
  'an object with only unencrypted members': { contact_id: 'FORGED' },
  'a list': [{ iban: 'FORGED' }],
  'a number': 7,
  'a boolean': true,
};
/** Forged plain values for each type of encrypted column, as an intruder in the database may write them. */
const forged: Record<ContentColumn['type'], Record<string, unknown>> = {
  text: { 'a single text': 'FORGED' },
  list: {
    'a single text': ['FORGED'],
    'a list that begins with an empty item': ['', 'FORGED'],
    'a list of several items': ['FORGED', 'FORGED'],
    'an empty item': [''],
  },
  json,
  jsonb: json,
};

describe('a row that names a data key', () => {
  let refusals: string[] = [];
  const key = new DataKey(newId(), generateKey(), () => refusals.push('does not decrypt'));
  const dataSource = new DataSource({ type: 'postgres' });
  attachContentKeys(dataSource, {
    getCurrentKey: () => Promise.resolve(key),
    peekCurrentKey: () => Promise.resolve(key),
    getMarker: () => Promise.resolve(null),
    prepareKey: () => undefined,
    isKeyOpen: () => true,
    isKnownToAcceptPlain: () => false,
    mayBePlain: () => Promise.resolve(false),
    reportRefusal: ({ message }) => void refusals.push(message),
    requireCachedKey: () => key,
  });
  const db = { dataSource } as unknown as Database;
  beforeEach(() => (refusals = []));

  /** Builds a stored row with encrypted content in all columns. */
  function sealAll(content: Content): ContentRow {
    const { columns, rowKey } = content;
    const row: Record<string, unknown> = { orgId: ORG, [rowKey]: newId() };
    for (const [property, { boundTo, type }] of columns) {
      row[boundTo] ??= newId();
      row[property] = genuine[type];
    }
    return sealRowWith<Record<string, unknown>>(content, key, row) as unknown as ContentRow;
  }
  const contents = listContentEntities().map((entity) => requireContent(entity as new () => object));

  it('belongs to one of 19 entities, which together have all types of columns', () => {
    const types = contents.flatMap(({ columns }) => [...columns.values()].map(({ type }) => type));
    assert.deepEqual([contents.length, [...new Set(types)].sort()], [19, ['json', 'jsonb', 'list', 'text']]);
  });

  for (const content of contents) {
    const entity = content.entity as new () => object;
    it(`of ${content.table} is decrypted if all its values are encrypted`, async () => {
      const opened = await decryptRow(db, entity, sealAll(content));
      for (const [property, { type }] of content.columns)
        assert.deepEqual((opened as Record<string, unknown>)[property], genuine[type], property);
      assert.deepEqual(refusals, []);
    });

    for (const [property, column] of content.columns)
      for (const [what, value] of Object.entries(forged[column.type]))
        it(`of ${content.table} is refused with ${what} in ${column.name}`, async () => {
          const row = { ...sealAll(content), [property]: value };
          const place = `${content.table}.${column.name}:${String(row[column.boundTo as keyof typeof row])}`;
          const isText = what === 'a single text';
          const message = isText
            ? `The content at ${place} cannot be decrypted: it was changed or moved from another column or row.`
            : `The content at ${place} is not encrypted, although its row has a data key: it was changed outside of Parley.`;
          const scope = { db, orgId: ORG };
          const stored = JSON.stringify(value) as unknown as Sealed<string>;
          const calls: Record<string, () => Promise<unknown>> = {
            decryptRow: () => decryptRow(db, entity, row),
            decryptAvailableRows: () => decryptAvailableRows(db, entity, [row]),
            decryptGenuineRows: () => decryptGenuineRows(db, entity, [row]),
            decryptStoredRow: async () => decryptStoredRow(db, entity, row),
            'convertRows to another key': () => convertRows(scope, entity, [row], { key, keyIds: [] }),
            'convertRows to plain text': () => convertRows(scope, entity, [row], { key: null, keyIds: [] }),
            ...(column.type.startsWith('json') && {
              decryptJson: () => decryptJson(db, entity, property, row, stored),
            }),
          };
          for (const [name, call] of Object.entries(calls)) {
            refusals = [];
            await assert.rejects(call, { message }, name);
            assert.deepEqual(refusals, [isText ? 'does not decrypt' : message], name);
          }
        });
  }
});
