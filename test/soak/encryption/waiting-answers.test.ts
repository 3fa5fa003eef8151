import assert from 'node:assert/strict';
import { startParley, type TestParley } from '../../support/parley.ts';
import { untilEqual } from '../../support/until.ts';
import { buildSession } from '../../support/widget.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const FALLBACK = 'I do not know.';
/** As many as one look takes. */
const BATCH = 10;

describe('answers that nobody has finished', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley?.stop();
    await keys?.stop();
  });

  /** A workspace with its own key, or without, and `count` answers; `abandon` has them be in the making, and so old. */
  async function build({ count = 1, isSealed = false } = {}) {
    const org = await buildSession(parley, { fallback_message: FALLBACK });
    if (isSealed) await keys.seal(org);
    for (let said = 1; said <= count; said++)
      await org.visitor.post(`${org.path}/messages`, { content: `Hello (${said})` });
    const abandon = (minutes = 0) =>
      parley.database.sql(
        `UPDATE messages SET state = 'generating', content = '', key_id = NULL,
           created_at = created_at - make_interval(mins => $2), lease_expires_at = now() - interval '1 hour'
         WHERE org_id = $1 AND role = 'assistant'`,
        [org.orgId, minutes],
      );
    const answers = async () =>
      (await org.visitor.get(`${org.path}/messages`)).body
        .filter(({ role }) => role === 'assistant')
        .map(({ content }) => content);
    const finished = async () => {
      const [row] = await parley.database.sql<{ n: number }>(
        "SELECT count(*)::int AS n FROM messages WHERE org_id = $1 AND role = 'assistant' AND state = 'complete'",
        [org.orgId],
      );
      return row!.n;
    };
    return { ...org, abandon, answers, finished };
  }

  const recover = () => parley.runtime.services.conversations.answerRunner.recoverAbandoned();

  it('are made by the next process though the key of another workspace is withdrawn, and theirs once it is given back', async () => {
    const away = await build({ count: BATCH, isSealed: true });
    const other = await build();
    // First, since the process looks for abandoned answers by itself, too.
    keys.withdraw(away);
    await away.abandon(11);
    await other.abandon();
    await recover();
    await recover();
    await untilEqual(other.answers, [FALLBACK]);
    assert.equal(await away.finished(), 0);
    keys.giveBack(away);
    await parley.database.sql(
      "UPDATE messages SET lease_expires_at = now() - interval '1 second' WHERE state = 'generating'",
    );
    await recover();
    await untilEqual(away.finished, BATCH);
  });
});
