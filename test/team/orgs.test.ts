import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { mailsTo } from '../accounts/support.ts';
import { buildSession } from '../support/widget.ts';
import { startParley, type ApiClient, type TestOrg, type TestParley } from '../support/parley.ts';
import { outcomeOf } from '../support/outcome.ts';

describe('workspaces', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  async function signedIn(role: 'owner' | 'admin' | 'member' | 'viewer' = 'owner', orgId?: string) {
    const org = await parley.buildOrg({ role, ...(orgId !== undefined && { orgId }) });
    return { ...org, session: (await parley.signIn(org)).client };
  }

  async function child(client: ApiClient, parentId: string, name = 'Branch') {
    const { status, body } = await client.post(`/api/orgs/${parentId}/children`, { name });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  describe('GET /api/orgs', () => {
    it('lists those that the caller belongs to, with the role in each', async () => {
      const { session, orgId } = await signedIn('admin');
      const made = await session.post('/api/orgs', { name: 'Zoë’s Café' });
      assert.equal(made.status, 201);
      const { body } = await session.get('/api/orgs');
      assert.deepEqual(
        body.map(({ id, role, slug, plan_tier, parent_org_id }: any) => ({
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
      const below = await child(client, orgId);
      const { body } = await client.get('/api/orgs');
      assert.deepEqual(
        body.map(({ id }: any) => id),
        [orgId, below.id],
      );
    });
  });

  it('are there for a key with the scope, and deleted where there is one', async () => {
    const { session, client } = await signedIn();
    const { body: key } = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
    assert.equal(outcomeOf(await parley.client(key.key).get('/api/orgs')), '403 forbidden');
    assert.equal((await client.get('/api/orgs')).status, 200);
    assert.equal(outcomeOf(await session.delete(`/api/orgs/${newId()}`)), '404 not_found');
  });

  describe('POST /api/orgs', () => {
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
        const { status, body } = await session.post('/api/orgs', { name });
        assert.equal(status, 422, JSON.stringify(name));
        assert.equal(body.details[0].field, 'name');
      }
    });
  });

  describe('PATCH /api/orgs/{org_id}', () => {
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
      assert.deepEqual(await patch({ settings: { default_language: 'auto' } }), [
        'New name',
        { default_language: 'auto', time_zone: 'America/Sao_Paulo' },
      ]);
      const { body } = await client.get(`/api/orgs/${orgId}`);
      const { body: list } = await client.get('/api/orgs');
      assert.deepEqual([list[0].settings, list[0]], [body.settings, body]);
      for (const [wrong, field] of [
        [{ theme: 'dark' }, 'settings.theme'],
        [{ time_zone: 'Mars/Olympus' }, 'settings.time_zone'],
        [{ default_language: 'no language' }, 'settings.default_language'],
        [{ default_language: 'xq' }, 'settings.default_language'],
      ] as const) {
        const { status, body: refusal } = await client.patch(`/api/orgs/${orgId}`, { settings: wrong });
        assert.deepEqual([status, refusal.details[0].field], [422, field]);
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
        const url = `/api/conversations/${session.session_id}/transcript?format=${format}`;
        return (await client.fetch(url)).text();
      };
      const invited = async () => {
        const email = `${newId()}@example.com`;
        const { body } = await client.post(`/api/orgs/${orgId}/invitations`, { email });
        const { invitations } = parley.runtime.services;
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
        outcomeOf(await admin.client.patch(`/api/orgs/${orgId}`, { is_active: false })),
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

  describe('the hierarchy', () => {
    it('is a tree of at most five levels', async () => {
      const { client, orgId } = await signedIn();
      let last = orgId;
      const chain = [orgId];
      for (let level = 1; level <= 4; level += 1) {
        const made = await child(client, last, `Level ${level}`);
        assert.deepEqual([made.parent_org_id, made.role, made.plan_tier], [last, 'owner', 'enterprise']);
        chain.push((last = made.id));
      }
      const tooDeep = await client.post(`/api/orgs/${last}/children`, { name: 'Level 5' });
      assert.equal(outcomeOf(tooDeep), '422 hierarchy_too_deep');
      const { body } = await client.get(`/api/orgs/${orgId}/hierarchy`);
      const seen: [string, number][] = [];
      for (let node = body; node; node = node.children[0]) seen.push([node.id, node.depth]);
      assert.deepEqual(
        seen,
        chain.map((id, depth) => [id, depth]),
      );
      const middle = await client.get(`/api/orgs/${chain[2]}/hierarchy`);
      assert.deepEqual(
        [middle.body.id, middle.body.depth, middle.body.children[0].id],
        [chain[2], 2, chain[3]],
      );
    });

    it('lets admins of a parent act as admin below, its owners as owners, and nobody see up', async () => {
      const parent = await signedIn();
      const maker = await signedIn('admin', parent.orgId);
      const middle = await child(maker.client, parent.orgId);
      const below = await child(maker.client, middle.id);
      const parentAdmin = await signedIn('admin', parent.orgId);
      const parentMember = await signedIn('member', parent.orgId);
      const childOwner = await signedIn('owner', below.id);
      const seen = await parentAdmin.client.get(`/api/orgs/${below.id}`);
      assert.deepEqual([seen.status, seen.body.role], [200, 'admin']);
      const seenByOwner = await parent.session.get(`/api/orgs/${below.id}`);
      assert.deepEqual([seenByOwner.status, seenByOwner.body.role], [200, 'owner']);
      const middleOwner = await signedIn('owner', middle.id);
      const mixed = await parley.database
        .repository(Membership)
        .insert({ id: newId(), orgId: below.id, userId: middleOwner.userId, role: 'viewer' });
      assert.equal(mixed.identifiers.length, 1);
      assert.equal((await middleOwner.session.get(`/api/orgs/${below.id}`)).body.role, 'owner');
      assert.equal(outcomeOf(await parentMember.client.get(`/api/orgs/${below.id}`)), '403 forbidden');
      for (const path of ['', '/hierarchy', '/members', '/audit-log'])
        assert.equal(
          outcomeOf(await childOwner.client.get(`/api/orgs/${parent.orgId}${path}`)),
          '403 forbidden',
        );
    });

    it('shows what has changed meanwhile, whoever has changed it', async () => {
      const { client, orgId } = await signedIn();
      const middle = await child(client, orgId, 'Middle');
      const lowest = await child(client, middle.id, 'Lowest');
      const tree = (node: any): unknown => [
        node.name,
        node.is_active,
        node.depth,
        ...node.children.map(tree),
      ];
      const read = async (id = orgId) => tree((await client.get(`/api/orgs/${id}/hierarchy`)).body);
      assert.deepEqual(await read(), ['Acme', true, 0, ['Middle', true, 1, ['Lowest', true, 2]]]);
      assert.deepEqual(await read(middle.id), ['Middle', true, 1, ['Lowest', true, 2]]);

      await client.patch(`/api/orgs/${lowest.id}`, { name: 'Base' });
      assert.deepEqual(await read(), ['Acme', true, 0, ['Middle', true, 1, ['Base', true, 2]]]);
      await parley.database.sql('UPDATE orgs SET is_active = false WHERE id = $1', [lowest.id]);
      assert.deepEqual(await read(), ['Acme', true, 0, ['Middle', true, 1, ['Base', false, 2]]]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [lowest.id, orgId]);
      assert.deepEqual(await read(), ['Acme', true, 0, ['Middle', true, 1], ['Base', false, 1]]);
      assert.deepEqual(await read(middle.id), ['Middle', true, 1]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = NULL WHERE id = $1', [middle.id]);
      assert.deepEqual(await read(), ['Acme', true, 0, ['Base', false, 1]]);
      await parley.database.sql('DELETE FROM orgs WHERE id = $1', [lowest.id]);
      assert.deepEqual(await read(), ['Acme', true, 0]);
      await child(client, orgId, 'New');
      assert.deepEqual(await read(), ['Acme', true, 0, ['New', true, 1]]);
    });

    it('stands at another depth when a workspace above it moves', async () => {
      const { client, orgId } = await signedIn();
      const { client: above, orgId: aboveId } = await signedIn();
      await child(client, orgId);
      const depths = async () => {
        const { body } = await client.get(`/api/orgs/${orgId}/hierarchy`);
        return [body.depth, body.children[0].depth];
      };
      assert.deepEqual(await depths(), [0, 1]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [orgId, aboveId]);
      assert.deepEqual(await depths(), [1, 2]);
      const top = await child(above, aboveId, 'Top');
      await parley.database.sql('UPDATE orgs SET parent_org_id = NULL WHERE id = $1', [top.id]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [aboveId, top.id]);
      assert.deepEqual(await depths(), [2, 3]);
    });

    it('of 5,000 workspaces is read whole', async () => {
      const { client, orgId } = await signedIn();
      await parley.database.sql(
        `INSERT INTO orgs (id, name, slug, parent_org_id)
         SELECT gen_random_uuid(), 'Branch ' || n, 'branch-' || n || '-' || $1::text, $1::uuid FROM generate_series(1, 100) n`,
        [orgId],
      );
      await parley.database.sql(
        `INSERT INTO orgs (id, name, slug, parent_org_id)
         SELECT gen_random_uuid(), 'Shop', 'shop-' || gen_random_uuid(), o.id
         FROM orgs o, generate_series(1, 49) WHERE o.parent_org_id = $1`,
        [orgId],
      );
      const { body } = await client.get(`/api/orgs/${orgId}/hierarchy`);
      assert.equal(
        body.children.reduce((sum: number, node: any) => sum + 1 + node.children.length, 1),
        5001,
      );
    });
  });

  describe('the database', () => {
    const insert = (id: string, parentId: string | null) =>
      parley.database.sql('INSERT INTO orgs (id, name, slug, parent_org_id) VALUES ($1, $2, $3, $4)', [
        id,
        'Org',
        id,
        parentId,
      ]);
    const move = (id: string, parentId: string | null) =>
      parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [id, parentId]);
    const chainOf = async (length: number) => {
      const ids = Array.from({ length }, () => newId());
      for (const [index, id] of ids.entries()) await insert(id, ids[index - 1] ?? null);
      return ids as [string, ...string[]];
    };

    it('refuses a sixth level, be it made or moved there', async () => {
      const five = await chainOf(5);
      await assert.rejects(insert(newId(), five[4]!), { code: 'OH001' });
      const [top] = await chainOf(2);
      await assert.rejects(move(top, five[3]!), { code: 'OH001' });
      await move(top, five[2]!);
    });

    it('refuses cycles', async () => {
      const three = await chainOf(3);
      await assert.rejects(move(three[0], three[2]!), { code: 'OH002' });
      await assert.rejects(move(three[0], three[0]), { code: 'OH002' });
      const own = newId();
      await assert.rejects(insert(own, own), { code: 'OH002' });
    });

    it('refuses both of what one statement makes or moves, in whatever order', async () => {
      const insertAll = (rows: (readonly [id: string, parentId: string | null])[]) =>
        parley.database.sql(
          `INSERT INTO orgs (id, name, slug, parent_org_id)
           SELECT id, 'Org', id, parent FROM unnest($1::uuid[], $2::uuid[]) AS made (id, parent)`,
          [rows.map(([id]) => id), rows.map(([, parentId]) => parentId)],
        );
      const ids = Array.from({ length: 6 }, () => newId());
      const chain = ids.map((id, index) => [id, ids[index - 1] ?? null] as const);
      for (const rows of [chain, chain.toReversed()])
        await assert.rejects(insertAll(rows), { code: 'OH001' });
      await insertAll(chain.slice(0, 5).toReversed());
      const [a, b] = [newId(), newId()];
      await assert.rejects(
        insertAll([
          [a, b],
          [b, a],
        ]),
        { code: 'OH002' },
      );
      const [one, other] = [await chainOf(1), await chainOf(1)];
      const swap =
        'UPDATE orgs SET parent_org_id = CASE id WHEN $1 THEN $2::uuid ELSE $1 END WHERE id IN ($1, $2)';
      await assert.rejects(parley.database.sql(swap, [one[0], other[0]]), { code: 'OH002' });
    });

    it('lets parallel moves make neither cycles nor a sixth level', async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        const [a, b] = [(await chainOf(1))[0], (await chainOf(1))[0]];
        const moves = await Promise.allSettled([move(a, b), move(b, a)]);
        assert.deepEqual(moves.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
        const [upper, lower] = [await chainOf(3), await chainOf(3)];
        const deep = await Promise.allSettled([
          move(lower[0], upper[1]!),
          insert(newId(), lower[2]!),
          insert(newId(), lower[2]!),
        ]);
        assert.equal(
          deep[0].status === 'fulfilled',
          deep[1].status === 'rejected' && deep[2].status === 'rejected',
        );
      }
    });
  });

  describe('DELETE /api/orgs/{org_id}', () => {
    it('is the owner’s, signed in', async () => {
      const owner = await signedIn();
      const admin = await signedIn('admin', owner.orgId);
      assert.equal(outcomeOf(await admin.session.delete(`/api/orgs/${owner.orgId}`)), '403 forbidden');
      assert.equal(outcomeOf(await owner.client.delete(`/api/orgs/${owner.orgId}`)), '403 forbidden');
    });

    it('is refused while there are workspaces below', async () => {
      const { session, client, orgId } = await signedIn();
      const below = await child(client, orgId);
      assert.equal(outcomeOf(await session.delete(`/api/orgs/${orgId}`)), '409 conflict');
      assert.equal((await session.delete(`/api/orgs/${below.id}`)).status, 202);
      assert.equal((await session.delete(`/api/orgs/${orgId}`)).status, 202);
    });

    it('takes it from everybody at once', async () => {
      const { session, client, orgId } = await signedIn();
      const other: TestOrg = await parley.buildOrg();
      assert.equal((await session.delete(`/api/orgs/${orgId}`)).status, 202);
      assert.equal((await client.get('/api/bots')).status, 401);
      assert.equal((await session.get('/api/bots')).status, 401);
      assert.equal(outcomeOf(await other.client.get(`/api/orgs/${orgId}`)), '404 not_found');
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
