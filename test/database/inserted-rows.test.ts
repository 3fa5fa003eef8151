import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import type { Database } from '../../database/database.ts';
import type { Runnable } from '../../database/statement.ts';
import { deleteReturning, insertOrIgnore, updateReturning } from '../../database/returning.ts';
import { fromNow, isInFuture } from '../../database/times.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const required = {
  name: 'Guide',
  llmProvider: 'platform',
  temperature: 0.7,
  maxTokens: 1024,
  thinkingBudgetTokens: 2048,
  rateLimitPerMinute: 30,
} as const;

const rows: Record<string, Partial<Bot>> = {
  'with required values alone': {},
  'with nulls': { description: null, leadCaptureConfig: null, allowedDomains: null },
  'with text that is invalid in UTF-8': { name: 'a\ud800b', starterQuestions: ['\udfff?'] },
  'with all planes of Unicode': { name: 'Zoë 👩‍🔬 𝒳', welcomeMessage: 'e\u0301' },
  'with numbers without a short form': { temperature: 0.1 + 0.2, totalMessages: 2_147_483_647 },
  'with JSON in unusual key order': { widgetTheme: { zz: 1, a: { c: [1.0, 'x'], b: null } } },
  'with arrays': { starterQuestions: ['"a", {b}', ''], allowedDomains: [] },
  'with values that differ from defaults': { status: 'active', isPublic: false, totalMessages: 7 },
  'with an id in capital letters': { id: newId().toUpperCase() },
};

describe('an inserted row', () => {
  const bots = new ScopedRepository(Bot, 'bot');
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());

  for (const [what, row] of Object.entries(rows)) {
    it(`${what} equals the stored row`, async () => {
      const { orgId } = await parley.buildOrg();
      const scope = { orgId, db: parley.database };
      const inserted = await bots.insert(scope, { id: newId(), publicKey: newId(), ...required, ...row });
      const read = await parley.database.repository(Bot).findOneByOrFail({ id: inserted.id });
      assert.deepEqual({ ...inserted }, { ...read });
      assert.equal(JSON.stringify(inserted), JSON.stringify({ ...inserted, ...read }));
    });

    it(`${what} by insertWithCommit equals the stored row`, async () => {
      const { orgId } = await parley.buildOrg();
      const now = new Date();
      const id = row.id ? newId().toUpperCase() : newId();
      const all = { publicKey: newId(), createdAt: now, updatedAt: now, ...required, ...row, id };
      const inserted = await parley.database.transaction((db) => bots.insertWithCommit({ orgId, db }, all));
      const read = await parley.database.repository(Bot).findOneByOrFail({ id: inserted.id });
      assert.deepEqual({ ...inserted }, { ...read });
      assert.equal(JSON.stringify(inserted), JSON.stringify({ ...inserted, ...read }));
    });
  }

  it('is sent with COMMIT by insertWithCommit if the database computes none of its values', async () => {
    const { orgId } = await parley.buildOrg();
    const now = new Date();
    const row = { id: newId(), publicKey: newId(), createdAt: now, updatedAt: now, ...required };
    const statements: string[] = [];
    const db = {
      withoutTransaction: parley.database,
      dataSource: parley.database.dataSource,
      run: ({ text }: Runnable<unknown>) => Promise.resolve(void statements.push(`waits: ${text}`)),
      runWithCommit: ({ text }: Runnable<unknown>) => void statements.push(`last: ${text}`),
    } as unknown as Database;
    const { name } = await bots.insertWithCommit({ orgId, db }, row);
    assert.equal(name, required.name);
    assert.equal(statements.length, 1);
    assert.match(statements[0]!, /^last: INSERT INTO "bots" [^]*\)$/);
  });

  it('equals the stored row after an insert, update or delete with a query builder, and is returned once', async () => {
    const { orgId, userId } = await parley.buildOrg();
    const keys = parley.database.repository(ApiKey);
    const key = { id: newId(), orgId, createdById: userId, name: 'Key', digest: newId(), lastFour: 'abcd' };
    const inserted = await insertOrIgnore(keys, {
      ...key,
      scopes: ['a,b', '"'],
      expiresAt: fromNow(2, 'days'),
    });
    const read = await keys.findOneByOrFail({ id: key.id });
    assert.deepEqual({ ...inserted }, { ...read });
    assert.equal(await insertOrIgnore(keys, { ...key, id: newId(), scopes: [] }), null);
    const where = { id: key.id, expiresAt: isInFuture() };
    const [updated] = await updateReturning(keys, where, { expiresAt: fromNow(-1, 'secs') });
    assert.ok(updated!.expiresAt! < new Date());
    assert.deepEqual({ ...updated, expiresAt: read.expiresAt }, { ...read });
    assert.deepEqual(await updateReturning(keys, where, { name: 'Late' }), []);
    const deleted = await Promise.all(
      Array.from({ length: 20 }, () => deleteReturning(keys, { id: key.id })),
    );
    assert.deepEqual(
      deleted.flat().map((row) => ({ ...row })),
      [{ ...updated }],
    );
  });
});
