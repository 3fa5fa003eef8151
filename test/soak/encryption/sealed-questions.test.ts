import assert from 'node:assert/strict';
import { groupAll, buildQuestionScene } from '../../analytics/question-support.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const ASKED = 'How much does shipping to Iceland cost?';
const MORE_THAN_A_BATCH = 501;
const AGAIN = 'How much does the shipping to Iceland cost?';

describe('questions of workspaces with encrypted content', () => {
  let parley: SharedParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startSharedParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await keys.stop();
  });

  async function build() {
    const scene = await buildQuestionScene(parley);
    const [row] = await parley.database.sql<{ userId: string }>(
      'SELECT user_id AS "userId" FROM memberships WHERE org_id = $1',
      [scene.orgId],
    );
    const lexemes = async () => {
      const rows = await parley.database.sql<{ lexeme: string }>(
        'SELECT lexeme FROM question_terms WHERE bot_id = $1',
        [scene.botId],
      );
      return rows.map(({ lexeme }) => lexeme);
    };
    const isReadable = async () => (await lexemes()).includes('iceland');
    const readCounts = async () => (await scene.list()).map((question) => question.asked);
    const scope = { orgId: scene.orgId, db: parley.database };
    const reseal = async () => {
      await parley.runtime.services.encryption.resealing.restart(scope);
      await parley.runtime.services.encryption.resealing.runSteps(scope, () => false);
    };
    return { ...scene, userId: row!.userId, lexemes, isReadable, readCounts, reseal };
  }

  it('are grouped by keyed digests of their words: listTopQuestions returns equal questions once', async () => {
    const { ask, readCounts, lexemes, ...org } = await build();
    await keys.seal(org);
    for (const content of [ASKED, AGAIN, ASKED, 'How much does shipping to Peru cost?']) await ask(content);
    await groupAll(parley);
    assert.deepEqual(await readCounts(), [3, 1]);
    const marks = await lexemes();
    assert.ok(marks.length > 0);
    assert.deepEqual(
      marks.filter((mark) => !/^[a-p]{32}$/.test(mark)),
      [],
    );
  });

  it('are compared with earlier questions once all are encrypted, and again once all are decrypted', async () => {
    const { ask, readCounts, isReadable, reseal, ...org } = await build();
    await ask(ASKED);
    await groupAll(parley);
    assert.deepEqual([await isReadable(), await readCounts()], [true, [1]]);

    const owner = await keys.seal(org);
    await reseal();
    assert.equal(await isReadable(), false);
    await ask(ASKED);
    await groupAll(parley);
    assert.deepEqual(await readCounts(), [2]);

    await owner.put('/api/encryption', { mode: 'platform' });
    parley.runtime.services.encryption.contentKeys.forget(org.orgId);
    await reseal();
    await ask(ASKED);
    await groupAll(parley);
    assert.deepEqual([await isReadable(), await readCounts()], [true, [3]]);
  });

  it('wait for their key without delaying other workspaces, even if they exceed a batch', async () => {
    const [sealed, other] = [await build(), await build()];
    await keys.seal(sealed);
    await Promise.all(Array.from({ length: MORE_THAN_A_BATCH }, () => sealed.ask(ASKED)));
    await other.ask(ASKED);
    keys.withdraw(sealed);
    await groupAll(parley);
    assert.deepEqual(await other.readCounts(), [1]);
    keys.restore(sealed);
    await groupAll(parley);
    assert.deepEqual(await sealed.readCounts(), [MORE_THAN_A_BATCH]);
  });
});
