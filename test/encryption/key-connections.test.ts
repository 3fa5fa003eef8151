import assert from 'node:assert/strict';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { mailSamples } from '../../services/mail/rendering/mail-samples.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { startOwnKeys, type OwnKeys } from './own-key.ts';

const POOL = 4;
const AT_ONCE = 20;

describe('keys that many callers request at once', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startParley({ PARLEY_DATABASE_POOL: String(POOL) });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  const atOnce = <T>(work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(n)));

  it('are read even if every database connection is in a transaction that waits for them', async () => {
    const org = await parley.buildOrg();
    await keys.seal(org);
    const {
      encryption: { contentKeys },
      mail: { mail },
    } = parley.runtime.services;
    contentKeys.forget(org.orgId);
    await atOnce((n) =>
      parley.database.transaction(async (db) => {
        await db.ping();
        await mail.send(db, {
          to: `visitor-${n}@example.com`,
          orgId: org.orgId,
          userId: org.userId,
          template: 'lead_captured',
          data: { ...mailSamples.lead_captured, contact: 'Zoë Quist' },
        });
      }),
    );
    const mails = await parley.database.repository(MailRow).findBy({ orgId: org.orgId });
    assert.deepEqual([mails.length, mails.filter(({ keyId }) => keyId === null).length], [AT_ONCE, 0]);
  });

  it('let sendWidgetMessage store all concurrent messages after the cache was cleared', async () => {
    const org = await buildSession(parley);
    await keys.seal(org);
    const start = () => parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
    const sessions = await atOnce(start);
    parley.runtime.services.encryption.contentKeys.forget(org.orgId);
    const statuses = await atOnce(async (n) => {
      const { session_id: id, visitor_token: token } = sessions[n]!.body;
      const path = `/api/public/sessions/${id}/messages` as const;
      return (await parley.client(token).post(path, { content: `Question ${n}?` })).status;
    });
    assert.deepEqual(statuses, Array(AT_ONCE).fill(201));
  });
});
