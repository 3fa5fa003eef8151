import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { buildChild, signInAs } from './support.ts';
import type { BodyAt } from '../support/response-types.ts';

describe('the hierarchy of workspaces', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const signedIn = (role?: OrgRole, orgId?: string) => signInAs(parley, role, orgId);

  describe('workspaces below each other', () => {
    it('make a tree of at most five levels, which getOrgHierarchy shows', async () => {
      const { client, orgId } = await signedIn();
      let last = orgId;
      const chain = [orgId];
      for (let level = 1; level <= 4; level += 1) {
        const made = await buildChild(client, last, `Level ${level}`);
        assert.deepEqual([made.parent_org_id, made.role, made.plan_tier], [last, 'owner', 'enterprise']);
        chain.push((last = made.id));
      }
      const tooDeep = await client.post(`/api/orgs/${last}/children`, { name: 'Level 5' });
      assert.equal(formatOutcome(tooDeep), '422 hierarchy_too_deep');
      const { body } = await client.get(`/api/orgs/${orgId}/hierarchy`);
      const seen: [string, number][] = [];
      for (let node: typeof body | undefined = body; node; node = node.children[0])
        seen.push([node.id, node.depth]);
      assert.deepEqual(
        seen,
        chain.map((id, depth) => [id, depth]),
      );
      const middle = await client.get(`/api/orgs/${chain[2]}/hierarchy`);
      assert.deepEqual(
        [middle.body.id, middle.body.depth, middle.body.children[0]!.id],
        [chain[2], 2, chain[3]],
      );
    });

    it('let admins of a parent act as admin below, its owners as owners, and nobody see up by getOrg', async () => {
      const parent = await signedIn();
      const maker = await signedIn('admin', parent.orgId);
      const middle = await buildChild(maker.client, parent.orgId);
      const below = await buildChild(maker.client, middle.id);
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
      assert.equal(formatOutcome(await parentMember.client.get(`/api/orgs/${below.id}`)), '403 forbidden');
      for (const path of ['', '/hierarchy', '/members', '/audit-log'])
        assert.equal(
          formatOutcome(await childOwner.client.get(`/api/orgs/${parent.orgId}${path}`)),
          '403 forbidden',
        );
    });

    it('show what has changed meanwhile, whoever has changed it', async () => {
      const { client, orgId } = await signedIn();
      const middle = await buildChild(client, orgId, 'Middle');
      const lowest = await buildChild(client, middle.id, 'Lowest');
      const tree = (node: BodyAt<'GET', '/api/orgs/{}/hierarchy'>): unknown => [
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
      await buildChild(client, orgId, 'New');
      assert.deepEqual(await read(), ['Acme', true, 0, ['New', true, 1]]);
    });

    it('stand at another depth when a workspace above them moves', async () => {
      const { client, orgId } = await signedIn();
      const { client: above, orgId: aboveId } = await signedIn();
      await buildChild(client, orgId);
      const depths = async () => {
        const { body } = await client.get(`/api/orgs/${orgId}/hierarchy`);
        return [body.depth, body.children[0]!.depth];
      };
      assert.deepEqual(await depths(), [0, 1]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [orgId, aboveId]);
      assert.deepEqual(await depths(), [1, 2]);
      const top = await buildChild(above, aboveId, 'Top');
      await parley.database.sql('UPDATE orgs SET parent_org_id = NULL WHERE id = $1', [top.id]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [aboveId, top.id]);
      assert.deepEqual(await depths(), [2, 3]);
    });

    it('are read whole, 5,000 of them', async () => {
      const { client, orgId } = await signedIn();
      await parley.database.sql(
        `INSERT INTO orgs (id, name, slug, payer_id, parent_org_id)
         SELECT gen_random_uuid(), 'Branch ' || n, 'branch-' || n || '-' || $1::text, $1::uuid, $1::uuid FROM generate_series(1, 100) n`,
        [orgId],
      );
      await parley.database.sql(
        `INSERT INTO orgs (id, name, slug, payer_id, parent_org_id)
         SELECT gen_random_uuid(), 'Shop', 'shop-' || gen_random_uuid(), o.payer_id, o.id
         FROM orgs o, generate_series(1, 49) WHERE o.parent_org_id = $1`,
        [orgId],
      );
      const { body } = await client.get(`/api/orgs/${orgId}/hierarchy`);
      assert.equal(
        body.children.reduce((sum, node) => sum + 1 + node.children.length, 1),
        5001,
      );
    });
  });

  describe('the database', () => {
    const insert = (id: string, parentId: string | null) =>
      parley.database.sql(
        'INSERT INTO orgs (id, name, slug, parent_org_id, payer_id) VALUES ($1, $2, $3, $4, $1)',
        [id, 'Org', id, parentId],
      );
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

    it('refuses cycles and a sixth level of what one statement makes or moves, in whatever order', async () => {
      const insertAll = (rows: (readonly [id: string, parentId: string | null])[]) =>
        parley.database.sql(
          `INSERT INTO orgs (id, name, slug, payer_id, parent_org_id)
           SELECT id, 'Org', id, id, parent FROM unnest($1::uuid[], $2::uuid[]) AS made (id, parent)`,
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
});
