import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { mailsTo } from '../accounts/support.ts';
import { buildSession } from '../support/widget.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { buildChild, signInAs } from './support.ts';

describe('workspaces', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const signedIn = (role?: OrgRole, orgId?: string) => signInAs(parley, role, orgId);

  describe('listOrgs', () => {
    it('lists those that the caller belongs to, with the role in each', async () => {
      const { session, orgId } = await signedIn('admin');
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

    it('shows a key its own workspace and those below it alone', async () => {
      const { client, session, orgId } = await signedIn();
      await session.post('/api/orgs', { name: 'Elsewhere' });
      const below = await buildChild(client, orgId);
      const { body } = await client.get('/api/orgs');
      assert.deepEqual(
        body.map(({ id }) => id),
        [orgId, below.id],
      );
    });
  });

  it('are there for a key with the scope, and deleted where there is one', async () => {
    const { session, client } = await signedIn();
    const { body: key } = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
    assert.equal(formatOutcome(await parley.client(key.key).get('/api/orgs')), '403 forbidden');
    assert.equal((await client.get('/api/orgs')).status, 200);
    assert.equal(formatOutcome(await session.delete(`/api/orgs/${newId()}`)), '404 not_found');
  });

  describe('createOrg', () => {
    it('gives workspaces of the same name different slugs', async () => {
      const { session } = await signedIn();
      const [first, second] = [
        await session.post('/api/orgs', { name: 'Twin Shop' }),
        await session.post('/api/orgs', { name: 'Twin Shop' }),
      ];
      assert.equal(first.body.slug, 'twin-shop');
      assert.match(second.body.slug, /^twin-shop-[0-9a-z]+$/);
    });

    it('names what is wrong with a name', async () => {
      const { session } = await signedIn();
      for (const name of ['A', '', '  ', '\u200B\u200B', 'A\nB', 'x'.repeat(256), 7]) {
        const { status, problem } = await session.post('/api/orgs', { name });
        assert.equal(status, 422, JSON.stringify(name));
        assert.equal(problem.details[0]!.field, 'name');
      }
    });
  });

  describe('updateOrg', () => {
    it('changes what is present and nothing else; null clears a setting', async () => {
      const { client, orgId } = await signedIn('admin');
      const patch = async (changes: object) => {
        const { status, body } = await client.patch(`/api/orgs/${orgId}`, changes);
        assert.equal(status, 200, JSON.stringify(body));
        return [body.name, body.settings];
      };
      const settings = { default_language: 'pt-BR', time_zone: 'America/Sao_Paulo' };
      assert.deepEqual(await patch({ name: 'New name', settings }), ['New name', settings]);
      assert.deepEqual(await patch({}), ['New name', settings]);
      assert.deepEqual(await patch({ settings: { default_language: null } }), [
        'New name',
        { time_zone: 'America/Sao_Paulo' },
      ]);
      assert.deepEqual(await patch({ settings: { default_language: 'pt_PT' } }), [
        'New name',
        { default_language: 'pt-PT', time_zone: 'America/Sao_Paulo' },
      ]);
      assert.deepEqual(await patch({ settings: { default_language: 'auto' } }), [
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

    it('sets the language of bots that are made without one', async () => {
      const { client, orgId } = await signedIn();
      const languageOf = async (fields: object) =>
        (await client.post('/api/bots', { name: 'Guide', ...fields })).body.language;
      assert.equal(await languageOf({}), 'auto');
      await client.patch(`/api/orgs/${orgId}`, { settings: { default_language: 'de' } });
      assert.deepEqual(
        [await languageOf({}), await languageOf({ language: 'fr' }), await languageOf({ language: 'auto' })],
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

    it('sets the time zone of times in mails and text transcripts', async () => {
      const { client, orgId, visitor, path, session } = await buildSession(parley);
      await visitor.post(`${path}/messages`, { content: 'Hello?' });
      const at = (time: string) => new Date(time);
      await parley.database.sql('UPDATE messages SET created_at = $2 WHERE org_id = $1', [
        orgId,
        at('2026-07-01T23:30:15Z'),
      ]);
      const text = async (format: string) => {
        const url = `/api/conversations/${session.session_id}/transcript?format=${format}` as const;
        return (await client.fetch(url)).text();
      };
      const invited = async () => {
        const email = `${newId()}@example.com`;
        const { body } = await client.post(`/api/orgs/${orgId}/invitations`, { email });
        const { invitations } = parley.runtime.services.team;
        await parley.database
          .repository(Invitation)
          .update(body.id, { expiresAt: at('2036-07-01T23:30:00Z') });
        await invitations.mailLink({ orgId, db: parley.database }, body.id);
        const [mail] = await mailsTo(parley, email);
        return mail!.values['expiresAt'];
      };
      assert.match(await text('txt'), /\[2026-07-01T23:30:15\.000Z\] Visitor/);
      assert.equal(await invited(), '1 July 2036 at 23:30 UTC');
      await client.patch(`/api/orgs/${orgId}`, { settings: { time_zone: 'Europe/Lisbon' } });
      assert.match(await text('txt'), /\[2026-07-02 00:30:15 Europe\/Lisbon\] Visitor/);
      assert.match(await text('csv'), /2026-07-01T23:30:15\.000Z/);
      assert.equal(await invited(), '2 July 2036 at 00:30 (Europe/Lisbon)');
    });

    it('lets only the owner switch it off, who can switch it on again', async () => {
      const { session, client, orgId } = await signedIn();
      const admin = await signedIn('admin', orgId);
      assert.equal(
        formatOutcome(await admin.client.patch(`/api/orgs/${orgId}`, { is_active: false })),
        '403 forbidden',
      );
      assert.equal((await session.patch(`/api/orgs/${orgId}`, { is_active: false })).status, 200);
      assert.equal((await client.get('/api/bots')).status, 401);
      assert.equal((await session.patch(`/api/orgs/${orgId}`, { is_active: true })).status, 200);
      assert.equal((await client.get('/api/bots')).status, 200);
    });

    it('refuses null and fields that it does not know', async () => {
      const { client, orgId } = await signedIn();
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
    it('is the owner’s, signed in', async () => {
      const owner = await signedIn();
      const admin = await signedIn('admin', owner.orgId);
      assert.equal(formatOutcome(await admin.session.delete(`/api/orgs/${owner.orgId}`)), '403 forbidden');
      assert.equal(formatOutcome(await owner.client.delete(`/api/orgs/${owner.orgId}`)), '403 forbidden');
    });

    it('is refused while there are workspaces below', async () => {
      const { session, client, orgId } = await signedIn();
      const below = await buildChild(client, orgId);
      assert.equal(formatOutcome(await session.delete(`/api/orgs/${orgId}`)), '409 conflict');
      assert.equal((await session.delete(`/api/orgs/${below.id}`)).status, 202);
      assert.equal((await session.delete(`/api/orgs/${orgId}`)).status, 202);
    });

    it('takes it from everybody at once', async () => {
      const { session, client, orgId } = await signedIn();
      const other: TestOrg = await parley.buildOrg();
      assert.equal((await session.delete(`/api/orgs/${orgId}`)).status, 202);
      assert.equal((await client.get('/api/bots')).status, 401);
      assert.equal((await session.get('/api/bots')).status, 401);
      assert.equal(formatOutcome(await other.client.get(`/api/orgs/${orgId}`)), '404 not_found');
    });

    it('and a child made at the same time end with one of both', async () => {
      for (let turn = 0; turn < 8; turn += 1) {
        const { session, client, orgId } = await signedIn();
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
