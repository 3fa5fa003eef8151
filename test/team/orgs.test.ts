import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { readMailsTo } from '../accounts/support.ts';
import { buildSession } from '../support/widget.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { buildChild, signInAs } from './support.ts';

describe('workspaces:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const signIn = (role?: OrgRole, orgId?: string) => signInAs(parley, role, orgId);

  describe('listOrgs', () => {
    it('returns the caller’s workspaces with the role in each', async () => {
      const { session, orgId } = await signIn('admin');
      const made = await session.post('/api/orgs', { name: 'Zoë’s Café' });
      assert.equal(made.status, 201);
      const { body } = await session.get('/api/orgs');
      assert.deepEqual(
        body.map(({ id, role, slug, plan_tier, parent_org_id }) => ({
          id,
          role,
          slug,
          plan_tier,
          parent_org_id,
        })),
        [
          { id: orgId, role: 'admin', slug: `acme-${orgId}`, plan_tier: 'enterprise', parent_org_id: null },
          { id: made.body.id, role: 'owner', slug: 'zoe-s-cafe', plan_tier: 'free', parent_org_id: null },
        ],
      );
    });

    it('returns a key’s own workspace and its children', async () => {
      const { client, session, orgId } = await signIn();
      await session.post('/api/orgs', { name: 'Elsewhere' });
      const below = await buildChild(client, orgId);
      const { body } = await client.get('/api/orgs');
      assert.deepEqual(
        body.map(({ id }) => id),
        [orgId, below.id],
      );
    });
  });

  it('listOrgs returns 403 to keys without the scope org:read', async () => {
    const { session, client } = await signIn();
    const { body: key } = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
    assert.equal(formatOutcome(await parley.client(key.key).get('/api/orgs')), '403 forbidden');
    assert.equal((await client.get('/api/orgs')).status, 200);
    assert.equal(formatOutcome(await session.delete(`/api/orgs/${newId()}`)), '404 not_found');
  });

  describe('createOrg', () => {
    it('gives workspaces with the same name different slugs', async () => {
      const { session } = await signIn();
      const [first, second] = [
        await session.post('/api/orgs', { name: 'Twin Shop' }),
        await session.post('/api/orgs', { name: 'Twin Shop' }),
      ];
      assert.equal(first.body.slug, 'twin-shop');
      assert.match(second.body.slug, /^twin-shop-[0-9a-z]+$/);
    });

    it('explains what is wrong with an invalid name', async () => {
      const { session } = await signIn();
      for (const name of ['A', '', '  ', '\u200B\u200B', 'A\nB', 'x'.repeat(256), 7]) {
        const { status, problem } = await session.post('/api/orgs', { name });
        assert.equal(status, 422, JSON.stringify(name));
        assert.equal(problem.details[0]!.field, 'name');
      }
    });
  });

  describe('updateOrg', () => {
    it('changes the fields in the request; null clears a setting', async () => {
      const { client, orgId } = await signIn('admin');
      const patchOrg = async (changes: object) => {
        const { status, body } = await client.patch(`/api/orgs/${orgId}`, changes);
        assert.equal(status, 200, JSON.stringify(body));
        return [body.name, body.settings];
      };
      const settings = { default_language: 'pt-BR', time_zone: 'America/Sao_Paulo' };
      assert.deepEqual(await patchOrg({ name: 'New name', settings }), ['New name', settings]);
      assert.deepEqual(await patchOrg({}), ['New name', settings]);
      assert.deepEqual(await patchOrg({ settings: { default_language: null } }), [
        'New name',
        { time_zone: 'America/Sao_Paulo' },
      ]);
      assert.deepEqual(await patchOrg({ settings: { default_language: 'pt_PT' } }), [
        'New name',
        { default_language: 'pt-PT', time_zone: 'America/Sao_Paulo' },
      ]);
      assert.deepEqual(await patchOrg({ settings: { default_language: 'auto' } }), [
        'New name',
        { default_language: 'auto', time_zone: 'America/Sao_Paulo' },
      ]);
      const { body } = await client.get(`/api/orgs/${orgId}`);
      const { body: list } = await client.get('/api/orgs');
      assert.deepEqual([list[0]!.settings, list[0]], [body.settings, body]);
      for (const [wrong, field] of [
        [{ default_language: 7 }, 'settings.default_language'],
        [{ time_zone: 'Mars/Olympus' }, 'settings.time_zone'],
        [{ default_language: 'no language' }, 'settings.default_language'],
        [{ default_language: 'xq' }, 'settings.default_language'],
      ] as const) {
        const { status, problem } = await client.patch(`/api/orgs/${orgId}`, { settings: wrong });
        assert.deepEqual([status, problem.details[0]?.field], [422, field]);
      }
    });

    it('sets the default language of new bots', async () => {
      const { client, orgId } = await signIn();
      const createWithFields = async (fields: object) =>
        (await client.post('/api/bots', { name: 'Guide', ...fields })).body.language;
      assert.equal(await createWithFields({}), 'auto');
      await client.patch(`/api/orgs/${orgId}`, { settings: { default_language: 'de' } });
      assert.deepEqual(
        [
          await createWithFields({}),
          await createWithFields({ language: 'fr' }),
          await createWithFields({ language: 'auto' }),
        ],
        ['de', 'fr', 'auto'],
      );
      const { body } = await client.get('/api/bots?q=Guide');
      assert.deepEqual(body.items.map(({ language }: { language: string }) => language).toSorted(), [
        'auto',
        'auto',
        'de',
        'fr',
      ]);
    });

    it('sets the time zone for times in emails and text transcripts', async () => {
      const { client, orgId, visitor, path, session } = await buildSession(parley);
      await visitor.post(`${path}/messages`, { content: 'Hello?' });
      const zonedTime = (time: string) => new Date(time);
      await parley.database.sql('UPDATE messages SET created_at = $2 WHERE org_id = $1', [
        orgId,
        zonedTime('2026-07-01T23:30:15Z'),
      ]);
      const readTranscript = async (format: string) => {
        const url = `/api/conversations/${session.session_id}/transcript?format=${format}` as const;
        return (await client.fetch(url)).text();
      };
      const readInvitationMail = async () => {
        const email = `${newId()}@example.com`;
        const { body } = await client.post(`/api/orgs/${orgId}/invitations`, { email });
        const { invitations } = parley.runtime.services.team;
        await parley.database
          .repository(Invitation)
          .update(body.id, { expiresAt: zonedTime('2036-07-01T23:30:00Z') });
        await invitations.mailLink({ orgId, db: parley.database }, body.id);
        const [mail] = await readMailsTo(parley, email);
        return mail!.values['expiresAt'];
      };
      assert.match(await readTranscript('txt'), /\[2026-07-01T23:30:15\.000Z\] Visitor/);
      assert.equal(await readInvitationMail(), '1 July 2036 at 23:30 UTC');
      await client.patch(`/api/orgs/${orgId}`, { settings: { time_zone: 'Europe/Lisbon' } });
      assert.match(await readTranscript('txt'), /\[2026-07-02 00:30:15 Europe\/Lisbon\] Visitor/);
      assert.match(await readTranscript('csv'), /2026-07-01T23:30:15\.000Z/);
      assert.equal(await readInvitationMail(), '2 July 2036 at 00:30 (Europe/Lisbon)');
    });

    it('lets only the owner disable and enable the workspace', async () => {
      const { session, client, orgId } = await signIn();
      const admin = await signIn('admin', orgId);
      assert.equal(
        formatOutcome(await admin.client.patch(`/api/orgs/${orgId}`, { is_active: false })),
        '403 forbidden',
      );
      assert.equal((await session.patch(`/api/orgs/${orgId}`, { is_active: false })).status, 200);
      assert.equal((await client.get('/api/bots')).status, 401);
      assert.equal((await session.patch(`/api/orgs/${orgId}`, { is_active: true })).status, 200);
      assert.equal((await client.get('/api/bots')).status, 200);
    });

    it('refuses null and unknown fields', async () => {
      const { client, orgId } = await signIn();
      for (const body of [
        { name: null },
        { name: '\u200B\u200B' },
        { plan_tier: 'enterprise' },
        { parent_org_id: newId() },
        { slug: 'x' },
      ])
        assert.equal((await client.patch(`/api/orgs/${orgId}`, body)).status, 422, JSON.stringify(body));
    });
  });

  describe('deleteOrg', () => {
    it('requires a signed-in owner', async () => {
      const owner = await signIn();
      const admin = await signIn('admin', owner.orgId);
      assert.equal(formatOutcome(await admin.session.delete(`/api/orgs/${owner.orgId}`)), '403 forbidden');
      assert.equal(formatOutcome(await owner.client.delete(`/api/orgs/${owner.orgId}`)), '403 forbidden');
    });

    it('returns 409 while child workspaces exist', async () => {
      const { session, client, orgId } = await signIn();
      const below = await buildChild(client, orgId);
      assert.equal(formatOutcome(await session.delete(`/api/orgs/${orgId}`)), '409 conflict');
      assert.equal((await session.delete(`/api/orgs/${below.id}`)).status, 202);
      assert.equal((await session.delete(`/api/orgs/${orgId}`)).status, 202);
    });

    it('revokes all access at once', async () => {
      const { session, client, orgId } = await signIn();
      const other: TestOrg = await parley.buildOrg();
      assert.equal((await session.delete(`/api/orgs/${orgId}`)).status, 202);
      assert.equal((await client.get('/api/bots')).status, 401);
      assert.equal((await session.get('/api/bots')).status, 401);
      assert.equal(formatOutcome(await other.client.get(`/api/orgs/${orgId}`)), '404 not_found');
    });

    it('and a simultaneous createChildOrg cannot both succeed', async () => {
      for (let turn = 0; turn < 8; turn += 1) {
        const { session, client, orgId } = await signIn();
        const [deleted, made] = await Promise.all([
          session.delete(`/api/orgs/${orgId}`),
          client.post(`/api/orgs/${orgId}/children`, { name: 'Branch' }),
        ]);
        const outcome = `${deleted.status} ${made.status}`;
        assert.ok(['202 404', '202 401', '409 201'].includes(outcome), outcome);
      }
    });
  });
});
