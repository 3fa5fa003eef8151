import assert from 'node:assert/strict';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import {
  startParley,
  type ApiResponse,
  type TestOrg,
  type TestParley,
  type TestProcess,
} from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { waitUntil } from '../support/wait-until.ts';
import { formatOutcome } from '../support/outcome.ts';
import { itInSoak } from '../support/it-in-soak.ts';

/** Number of concurrent callers at each API process. */
const CALLERS = 4;
/** Number of requests that each caller sends after a change of rights, all of which must be refused. */
const ENOUGH = 40;

describe('revoked rights', () => {
  let parley: TestParley;
  let processes: TestProcess[];
  before(async () => {
    parley = await startParley();
    processes = [parley, await parley.startAnother()];
  });
  after(() => parley.stop());

  /**
   * Sends requests while `change` takes effect. Returns the outcomes of those that began before its commit,
   * and of those after it.
   */
  async function callAround(
    call: (process: TestProcess) => Promise<ApiResponse>,
    change: () => Promise<unknown>,
  ): Promise<{ early: string[]; late: string[] }> {
    const early: string[] = [];
    const late: string[] = [];
    let isChanged = false;
    const callers = processes.flatMap((process) =>
      Array.from({ length: CALLERS }, async () => {
        while (late.length < ENOUGH) {
          const responses = isChanged ? late : early;
          const { status, body } = await call(process);
          responses.push(formatOutcome({ status, body }));
        }
      }),
    );
    await waitUntil(() => early.length >= CALLERS, 'requests before the change');
    await change();
    isChanged = true;
    await Promise.all(callers);
    return { early, late };
  }

  const changes: [what: string, expected: string, change: (org: TestOrg) => Promise<unknown>][] = [
    ['a revoked key', '401 unauthenticated', ({ orgId }) => updateKey(orgId, { revokedAt: new Date() })],
    ['an expired key', '401 unauthenticated', ({ orgId }) => updateKey(orgId, { expiresAt: new Date() })],
    ['narrowed scopes', '403 forbidden', ({ orgId }) => updateKey(orgId, { scopes: ['bots:read'] })],
    [
      'a removed member',
      '401 unauthenticated',
      ({ orgId, userId }) => parley.database.repository(Membership).delete({ orgId, userId }),
    ],
    [
      'a lowered role',
      '403 forbidden',
      ({ orgId, userId }) =>
        parley.database.repository(Membership).update({ orgId, userId }, { role: 'member' }),
    ],
    [
      'an inactive workspace',
      '401 unauthenticated',
      ({ orgId }) => parley.database.repository(Org).update(orgId, { isActive: false }),
    ],
  ];

  function updateKey(orgId: string, state: Partial<ApiKey>): Promise<unknown> {
    return parley.database.repository(ApiKey).update({ orgId }, state);
  }

  for (const [what, expected, change] of changes) {
    it(`are missing at the next request, at every process: ${what}`, async () => {
      const org = await parley.buildOrg({ role: 'admin' });
      const { early, late } = await callAround(
        (process) => process.client(org.key).get('/api/webhooks'),
        () => change(org),
      );
      assert.ok(early.includes('200'));
      assert.deepEqual(new Set(late), new Set([expected]));
    });
  }

  itInSoak('apply again at the next request once they are restored', async () => {
    const { key, userId } = await parley.buildOrg({ role: 'viewer' });
    const { late } = await callAround(
      (process) => process.client(key).get('/api/webhooks'),
      () => parley.database.repository(Membership).update({ userId }, { role: 'admin' }),
    );
    assert.deepEqual(new Set(late), new Set(['200']));
  });

  itInSoak('are missing for the visitors of a deleted bot, at every process', async () => {
    const { client, bot, session, path } = await buildSession(parley);
    const { early, late } = await callAround(
      (process) => process.client(session.visitor_token).get(path),
      () => client.delete(`/api/bots/${bot.id}`),
    );
    assert.ok(early.includes('200'));
    assert.deepEqual(new Set(late), new Set(['401 unauthenticated']));
  });
});
