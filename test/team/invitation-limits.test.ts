import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiResponse, type TestParley } from '../support/parley.ts';

describe('invitations', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  const buildEmail = () => `Grace-${newId()}@Example.com`;
  const getRows = () => parley.database.repository(Invitation);

  itInSoak('are limited per address, across all workspaces', async () => {
    const strict = await startParley({ PARLEY_ACCOUNT_MAIL_LIMIT: '3' }, { hasStoppedClock: true });
    const email = buildEmail();
    const inviteFrom = async (asked: string) => {
      const { orgId, client } = await strict.buildOrg();
      const path = `/api/orgs/${orgId}/invitations` as const;
      const response = await client.post(path, { email: asked });
      return Object.assign(response, {
        resend: () => client.post(`${path}/${response.body.id}/resend`),
      });
    };
    const { status, resend } = await inviteFrom(email);
    assert.equal(status, 201);
    assert.equal((await resend()).status, 200);
    assert.equal((await inviteFrom(email.toUpperCase())).status, 201);
    // The fourth email to the address is still sent; only the next one must wait.
    assert.equal((await inviteFrom(email)).status, 201);
    const refused = await Promise.all([inviteFrom(email), resend()]);
    for (const response of refused) {
      assert.equal(formatOutcome(response), '429 rate_limited');
      assert.match(
        response.problem.error.message,
        /^Too many emails to this address were requested \(PARLEY_ACCOUNT_MAIL_LIMIT\); wait \d+ s\.$/,
      );
      assert.ok(Number(response.headers.get('retry-after')) >= 1);
    }
    assert.equal((await inviteFrom(buildEmail())).status, 201);
    await strict.stop();
  });

  it('are limited per workspace and day, across all processes, and the error names the time of the next allowed invitation', async () => {
    const strict = [
      await parley.startAnother({ invitationsPerDay: 4 }),
      await parley.startAnother({ invitationsPerDay: 4 }),
    ];
    const org = await parley.buildOrg();
    const path = `/api/orgs/${org.orgId}/invitations` as const;
    const clients = strict.map((process) => process.client(org.key));
    const email = buildEmail();
    const { body: first } = await clients[0]!.post(path, { email });
    // The daily limit counts neither refused invitations nor invitations resent within the day.
    assert.equal(formatOutcome(await clients[1]!.post(path, { email })), '409 conflict');
    assert.equal((await clients[1]!.post(`${path}/${first.id}/resend`)).status, 200);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => clients[turn % 2]!.post(path, { email: buildEmail() })),
    );
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [
      201,
      201,
      201,
      ...Array(5).fill(429),
    ]);
    const refused = responses.find(({ status }) => status === 429)!;
    const { sentAt } = await getRows().findOneByOrFail({ id: first.id });
    const goesOn = new Date(Math.ceil((sentAt.getTime() + 86_400_000) / 60_000) * 60_000);
    assert.equal(
      refused.problem.error.message,
      `This workspace has reached its limit of 4 invitations per day; the next invitation is possible at ${goesOn
        .toISOString()
        .slice(0, 16)
        .replace('T', ' ')} UTC.`,
    );
    assert.ok(Math.abs(Number(refused.headers.get('retry-after')) - 86_400) < 60);
    assert.equal((await clients[1]!.post(`${path}/${first.id}/resend`)).status, 200);
    // Move the time of the first invitation back by a day, so that the limit no longer counts it.
    await getRows().update(first.id, { sentAt: new Date(Date.now() - 86_400_000 - 1000) });
    assert.equal((await clients[0]!.post(path, { email: buildEmail() })).status, 201);
    assert.equal(formatOutcome(await clients[0]!.post(`${path}/${first.id}/resend`)), '429 rate_limited');
    const other = await parley.buildOrg();
    const { status } = await other.client.post(`/api/orgs/${other.orgId}/invitations`, {
      email: buildEmail(),
    });
    assert.equal(status, 201);
  });

  itInSoak('are limited per inviter and day, across all workspaces', async () => {
    const strict = await parley.startAnother({ invitationsPerPerson: 2 });
    const org = await parley.buildOrg();
    const { accessToken } = await parley.signIn(org);
    const client = strict.client(accessToken);
    const statuses: number[] = [];
    let last: ApiResponse | undefined;
    for (const name of ['First', 'Second', 'Third']) {
      const { body } = await client.post('/api/orgs', { name });
      last = await client.post(`/api/orgs/${body.id}/invitations`, { email: buildEmail() });
      statuses.push(last.status);
    }
    assert.deepEqual(statuses, [201, 201, 429]);
    assert.match(
      last!.problem.error.message,
      /^You have reached your limit of 2 invitations per day; the next invitation is possible at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
    );
  });
});
