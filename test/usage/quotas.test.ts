import assert from 'node:assert/strict';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { ApiResponse, TestOrg, TestParley, TestProcess } from '../support/parley.ts';
import { buildWorkspaceBelow, setTier, startLimited } from './support.ts';

const REFUSED = '402 quota_exceeded';

describe('limits of a plan', () => {
  let parley: TestParley;
  let another: TestProcess;
  let org: TestOrg;
  before(async () => {
    parley = await startLimited({ documents: 2, bots: 2, seats: 3 });
    another = await parley.startAnother();
  });
  after(() => parley.stop());
  beforeEach(async () => {
    org = await parley.buildOrg();
    await setTier(parley, org.orgId, 'free');
  });

  const usage = async ({ client }: Pick<TestOrg, 'client'> = org) => (await client.get('/api/usage')).body;
  const outcomes = (responses: ApiResponse[]) =>
    responses.map((response) => formatOutcome(response)).toSorted();

  describe('for bots:', () => {
    const make = (client = org.client) => client.post('/api/bots', { name: 'Help desk' });

    it('createBot and duplicateBot return 402 above the limit, and name the limit and what to do', async () => {
      const { body: bot } = await make();
      await make();
      const refused = await make();
      assert.equal(formatOutcome(refused), REFUSED);
      assert.equal(
        refused.problem.error.message,
        'The plan’s limit of 2 bots is reached: 2 are used. Archive or delete a bot, or have an owner choose a larger plan.',
      );
      assert.equal(formatOutcome(await org.client.post(`/api/bots/${bot.id}/duplicate`, {})), REFUSED);
      assert.deepEqual([(await usage()).bots, (await usage()).exceeded], [2, []]);
    });

    itInSoak(
      'createBot creates exactly the remaining number for concurrent calls at two processes',
      async () => {
        const clients = [org.client, another.client(org.key)];
        const responses = await Promise.all(
          Array.from({ length: 10 }, (_, index) => make(clients[index % 2])),
        );
        assert.deepEqual(outcomes(responses), ['201', '201', ...Array<string>(8).fill(REFUSED)]);
      },
    );

    it('updateBot restores a bot from the archive only within the limit', async () => {
      const { body: bot } = await make();
      await org.client.patch(`/api/bots/${bot.id}`, { status: 'archived' });
      await make();
      const { body: last } = await make();
      const restoreBot = () => org.client.patch(`/api/bots/${bot.id}`, { status: 'draft' });
      assert.equal(formatOutcome(await restoreBot()), REFUSED);
      assert.equal((await org.client.get(`/api/bots/${bot.id}`)).body.status, 'archived');
      assert.equal(formatOutcome(await org.client.patch(`/api/bots/${last.id}`, { name: 'Other' })), '200');
      await org.client.delete(`/api/bots/${last.id}`);
      assert.equal(formatOutcome(await restoreBot()), '200');
    });

    it('generateBot starts no draft whose bot could not be created', async () => {
      await make();
      await make();
      const asked = { description: 'Acme is a bicycle workshop in Lisbon that repairs and rents bicycles.' };
      assert.equal(formatOutcome(await org.client.post('/api/bots/generate', asked)), REFUSED);
      const begun = await parley.database.sql('SELECT id FROM bot_generations WHERE org_id = $1', [
        org.orgId,
      ]);
      assert.deepEqual(begun, []);
    });

    it('a smaller plan deletes no bots, and allows no more until their number is below the limit', async () => {
      await setTier(parley, org.orgId, 'enterprise');
      const made = [await make(), await make(), await make()];
      await setTier(parley, org.orgId, 'free');
      assert.deepEqual([(await usage()).bots, (await usage()).exceeded], [3, ['bots']]);
      assert.equal(formatOutcome(await make()), REFUSED);
      await org.client.delete(`/api/bots/${made[0]!.body.id}`);
      assert.equal(formatOutcome(await make()), REFUSED);
      await org.client.delete(`/api/bots/${made[1]!.body.id}`);
      assert.equal(formatOutcome(await make()), '201');
    });

    itInSoak(
      'a whole hierarchy counts together, and a child workspace learns nothing about the payer',
      async () => {
        const below = await buildWorkspaceBelow(parley, org.orgId);
        await make();
        await make(below.client);
        const refused = await make(below.client);
        assert.equal(formatOutcome(refused), REFUSED);
        assert.equal(
          refused.problem.error.message,
          'The plan’s limit of 2 bots, which all workspaces of the hierarchy share, is reached. Archive or delete a bot in any of them, or have an owner of the topmost workspace choose a larger plan.',
        );
        assert.equal(formatOutcome(await make()), REFUSED);
        const seen = await usage(below);
        assert.deepEqual([seen.bots, seen.limits.bots, seen.topup_credits_left], [1, 2, null]);
      },
    );
  });

  describe('for documents:', () => {
    it('createDocument and uploadDocument return 402 above the limit, and store nothing', async () => {
      const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk' });
      const path = `/api/bots/${bot.id}/knowledge` as const;
      const add = (text: string) => org.client.post(path, { source_type: 'raw_text', raw_text: text });
      assert.deepEqual(outcomes([await add('One'), await add('Two')]), ['201', '201']);
      const refused = await add('Three');
      assert.equal(formatOutcome(refused), REFUSED);
      assert.match(refused.problem.error.message, /limit of 2 documents is reached: 2 are used/);
      const form = new FormData();
      form.set('file', new Blob(['Three']), 'three.txt');
      const uploaded = await org.client.fetch(`${path}/upload`, { method: 'POST', body: form });
      assert.equal(uploaded.status, 402);
      assert.equal((await usage()).documents, 2);
    });

    it('putDocument and putDocumentFile return 402 above the limit, but still replace documents', async () => {
      const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk' });
      const path = `/api/ext/bots/${bot.id}/documents` as const;
      const put = (id: string, text: string) =>
        org.client.put(`${path}/${id}`, { source_type: 'raw_text', raw_text: text });
      const upload = async (id: string) => {
        const form = new FormData();
        form.set('file', new Blob(['Three']), 'three.txt');
        form.set('external_id', id);
        return (await org.client.fetch(`${path}/upload`, { method: 'POST', body: form })).status;
      };
      assert.deepEqual(outcomes([await put('a', 'One'), await put('b', 'Two')]), ['200', '200']);
      assert.equal(formatOutcome(await put('c', 'Three')), REFUSED);
      assert.equal(await upload('c'), 402);
      assert.equal((await put('a', 'Three')).body.outcome, 'replaced');
      assert.equal(await upload('b'), 200);
      assert.equal((await usage()).documents, 2);
    });
  });

  describe('for seats:', () => {
    const invite = (email: string, role: 'member' | 'viewer') =>
      org.client.post(`/api/orgs/${org.orgId}/invitations`, { email, role });

    it('createInvitation and resendInvitation return 402 above the limit, except for viewers, and count no person twice', async () => {
      assert.equal(formatOutcome(await invite('one@example.com', 'member')), '201');
      assert.equal(formatOutcome(await invite('two@example.com', 'member')), '201');
      const refused = await invite('three@example.com', 'member');
      assert.equal(formatOutcome(refused), REFUSED);
      assert.match(refused.problem.error.message, /limit of 3 seats is reached: 3 are used/);
      assert.equal(formatOutcome(await invite('four@example.com', 'viewer')), '201');
      assert.equal((await usage()).seats, 3);
      const [one] = (await org.client.get(`/api/orgs/${org.orgId}/invitations`)).body.filter(
        ({ email }) => email === 'one@example.com',
      );
      assert.equal(
        formatOutcome(await org.client.post(`/api/orgs/${org.orgId}/invitations/${one!.id}/resend`, {})),
        '200',
      );
      await parley.database
        .repository(Invitation)
        .update({ id: one!.id }, { expiresAt: new Date(0), status: 'expired' });
      assert.equal(formatOutcome(await invite('five@example.com', 'member')), '201');
      assert.equal(
        formatOutcome(await org.client.post(`/api/orgs/${org.orgId}/invitations/${one!.id}/resend`, {})),
        REFUSED,
      );
    });

    it('setMemberRole and transferOwnership return 402 if a viewer would take one more seat', async () => {
      await parley.buildOrg({ orgId: org.orgId, role: 'member' });
      await parley.buildOrg({ orgId: org.orgId, role: 'member' });
      const viewer = await parley.buildOrg({ orgId: org.orgId, role: 'viewer' });
      const { client } = await parley.signIn({ userId: org.userId, orgId: org.orgId });
      const { body: members } = await client.get(`/api/orgs/${org.orgId}/members`);
      const { membership_id: id } = members.find(({ user_id }) => user_id === viewer.userId)!;
      const path = `/api/orgs/${org.orgId}/members/${id}/role` as const;
      assert.equal(formatOutcome(await client.put(path, { role: 'member' })), REFUSED);
      const handed = await client.post(`/api/orgs/${org.orgId}/transfer-ownership`, { membership_id: id });
      assert.equal(formatOutcome(handed), REFUSED);
      assert.equal((await usage()).seats, 3);
    });

    itInSoak('createInvitation counts pending invitations under a plan that has become smaller', async () => {
      await setTier(parley, org.orgId, 'enterprise');
      for (const name of ['one', 'two', 'three']) await invite(`${name}@example.com`, 'member');
      await setTier(parley, org.orgId, 'free');
      assert.deepEqual([(await usage()).seats, (await usage()).exceeded], [4, ['seats']]);
      assert.equal(formatOutcome(await invite('four@example.com', 'member')), REFUSED);
      assert.equal(formatOutcome(await invite('five@example.com', 'viewer')), '201');
    });
  });
});
