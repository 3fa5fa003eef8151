import assert from 'node:assert/strict';
import type { Problem } from '../../api/http/problems/problem.ts';
import { findCommands } from '../support/knowledge.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildExternalBase } from './external-support.ts';

describe('putDocumentFile', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  it('creates a document, with or without an external_id', async () => {
    const { putFile } = await buildExternalBase(parley);
    const fields = { external_id: 'a', title: 'Hours', tags: '["x", "y"]' };
    const named = await putFile('hours.md', '# Nine to five', fields);
    const unnamed = await putFile('hours.md', '# Ten to six', { external_id: '', tags: '', title: '' });
    assert.deepEqual(
      [named, unnamed].map(({ status, body }) => [
        status,
        body.outcome,
        body.external_id,
        body.title,
        body.tags,
      ]),
      [
        [200, 'created', 'a', 'Hours', ['x', 'y']],
        [200, 'created', null, 'hours.md', []],
      ],
    );
  });

  it('refuses an external_id that is blank or reserved', async () => {
    const { putFile } = await buildExternalBase(parley);
    const reserved = 'must be printable text such as "docs/intro.md", but not ".", ".." or "upload"';
    const refusals = { ' ': 'must not be blank', '..': reserved, upload: reserved };
    for (const [id, message] of Object.entries(refusals)) {
      const { status, problem } = await putFile('hours.md', '# Nine to five', { external_id: id });
      assert.deepEqual([status, problem.error.message], [422, `external_id ${message}`]);
    }
  });

  it('replaces a file, and also a text', async () => {
    const { putFile, putText, orgId, readRow, readOriginal } = await buildExternalBase(parley);
    const { body: text } = await putText('a', 'One');
    const { body: first } = await putFile('one.txt', 'One', { external_id: 'a' });
    const { body: second } = await putFile('two.txt', 'Two', { external_id: 'a', encoding: 'gbk' });
    assert.deepEqual(
      [first, second].map(({ id, outcome, source_type: type, encoding }) => [id, outcome, type, encoding]),
      [
        [text.id, 'replaced', 'file', null],
        [text.id, 'replaced', 'file', 'gb18030'],
      ],
    );
    const row = await readRow(text.id);
    assert.deepEqual(
      [row.filename, row.revision, await readOriginal(row.storageKey!)],
      ['two.txt', 3, 'Two'],
    );
    const names = (await findCommands(parley.database, orgId)).map(({ name }) => name);
    assert.equal(names.filter((name) => name === 'deleteFile').length, 2);
    const { body: back } = await putText('a', 'Two');
    assert.deepEqual([back.outcome, back.source_type, back.encoding], ['replaced', 'raw_text', null]);
  });

  it('indexes nothing if the file is unchanged, unless it is read with another encoding or extension', async () => {
    const { putFile, countFiles } = await buildExternalBase(parley);
    const outcomes = [];
    for (const [name, fields] of [
      ['one.txt', {}],
      ['other-name.txt', { title: 'Hours' }],
      ['one.txt', { encoding: 'gbk' }],
      ['one.txt', {}],
      ['one.csv', {}],
    ] as const) {
      const { body } = await putFile(name, 'One;Two\n1;2\n', { external_id: 'a', ...fields });
      outcomes.push([body.outcome, body.title, body.encoding]);
    }
    assert.deepEqual(outcomes, [
      ['created', 'one.txt', null],
      ['unchanged', 'Hours', null],
      ['replaced', 'Hours', 'gb18030'],
      ['unchanged', 'Hours', 'gb18030'],
      ['replaced', 'Hours', null],
    ]);
    await waitUntilEqual(countFiles, 3);
  });

  it('returns an existing document with the same content if asked to deduplicate', async () => {
    const { putFile, client, knowledgePath, countRows, setRow, countFiles } = await buildExternalBase(parley);
    const { body: known } = await client.post(knowledgePath, { source_type: 'raw_text', raw_text: 'One' });
    const { body: same } = await putFile('one.md', 'One', { deduplicate: 'true', title: 'Other' });
    assert.deepEqual(
      [same.id, same.outcome, same.external_id, same.title, await countRows()],
      [known.id, 'unchanged', null, 'One', 1],
    );
    await waitUntilEqual(countFiles, 1);
    const { body: other } = await putFile('one.md', 'Two', { deduplicate: 'true' });
    const { body: twice } = await putFile('one.md', 'Two', { deduplicate: 'false' });
    assert.deepEqual([other.outcome, twice.outcome, await countRows()], ['created', 'created', 3]);
    await setRow(known.id, { status: 'failed' });
    const { body: again } = await putFile('one.md', 'One', { deduplicate: 'true' });
    assert.deepEqual([again.outcome, again.id === known.id], ['created', false]);
  });

  it('deduplicates only within the bot, even for concurrent uploads', async () => {
    const { putFile, countRows } = await buildExternalBase(parley);
    const foreign = await buildExternalBase(parley);
    await foreign.putFile('one.md', 'One');
    const put = () => putFile('one.md', 'One', { deduplicate: 'true' });
    const puts = await Promise.all([put(), put(), put()]);
    assert.deepEqual(puts.map(({ body }) => body.outcome).toSorted(), ['created', 'unchanged', 'unchanged']);
    assert.equal(await countRows(), 1);
  });

  for (const [field, fields] of [
    ['tags', { tags: 'a, b' }],
    ['tags', { tags: '{"a": 1}' }],
    ['tags', { tags: JSON.stringify(Array.from({ length: 21 }, (_, index) => `tag ${index}`)) }],
    ['tags[0]', { tags: '[""]' }],
    ['external_id', { external_id: 'upload' }],
    ['external_id', { external_id: '..' }],
    ['external_id', { external_id: '\u200b\u202e' }],
    ['external_id', { external_id: 'a'.repeat(256) }],
    ['encoding', { encoding: 'klingon' }],
    ['deduplicate', { deduplicate: 'yes' }],
    ['deduplicate', { deduplicate: 'true', external_id: 'a' }],
  ] as const) {
    it(`names the invalid field of ${JSON.stringify(fields).slice(0, 50)}`, async () => {
      const { putFile, countRows, countFiles } = await buildExternalBase(parley);
      const refused = await putFile('one.md', 'One', fields);
      assert.equal(formatOutcome(refused), '422 validation_error');
      assert.deepEqual(
        (refused.body as unknown as Problem).details.map((detail) => detail.field),
        [field],
      );
      assert.deepEqual([await countRows(), await countFiles()], [0, 0]);
    });
  }
});
