import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { buildChild, signInAs } from './support.ts';
import type { BodyAt } from '../support/response-types.ts';

describe('the hierarchy of workspaces:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const signIn = (role?: OrgRole, orgId?: string) => signInAs(parley, role, orgId);

  describe('workspaces below each other', () => {
    it('form a tree of at most five levels, returned by getOrgHierarchy', async () => {
      const { client, orgId } = await signIn();
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

    it('let admins of a parent act as admins below it, and owners as owners, and refuse getOrg for a workspace above', async () => {
      const parent = await signIn();
      const maker = await signIn('admin', parent.orgId);
      const middle = await buildChild(maker.client, parent.orgId);
      const below = await buildChild(maker.client, middle.id);
      const parentAdmin = await signIn('admin', parent.orgId);
      const parentMember = await signIn('member', parent.orgId);
      const childOwner = await signIn('owner', below.id);
      const seen = await parentAdmin.client.get(`/api/orgs/${below.id}`);
      assert.deepEqual([seen.status, seen.body.role], [200, 'admin']);
      const seenByOwner = await parent.session.get(`/api/orgs/${below.id}`);
      assert.deepEqual([seenByOwner.status, seenByOwner.body.role], [200, 'owner']);
      const middleOwner = await signIn('owner', middle.id);
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

    it('return changes at once, even those made in SQL', async () => {
      const { client, orgId } = await signIn();
      const middle = await buildChild(client, orgId, 'Middle');
      const lowest = await buildChild(client, middle.id, 'Lowest');
      const toTree = (node: BodyAt<'GET', '/api/orgs/{}/hierarchy'>): unknown => [
        node.name,
        node.is_active,
        node.depth,
        ...node.children.map(toTree),
      ];
      const readTree = async (id = orgId) => toTree((await client.get(`/api/orgs/${id}/hierarchy`)).body);
      assert.deepEqual(await readTree(), ['Acme', true, 0, ['Middle', true, 1, ['Lowest', true, 2]]]);
      assert.deepEqual(await readTree(middle.id), ['Middle', true, 1, ['Lowest', true, 2]]);

      await client.patch(`/api/orgs/${lowest.id}`, { name: 'Base' });
      assert.deepEqual(await readTree(), ['Acme', true, 0, ['Middle', true, 1, ['Base', true, 2]]]);
      await parley.database.sql('UPDATE orgs SET is_active = false WHERE id = $1', [lowest.id]);
      assert.deepEqual(await readTree(), ['Acme', true, 0, ['Middle', true, 1, ['Base', false, 2]]]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [lowest.id, orgId]);
      assert.deepEqual(await readTree(), ['Acme', true, 0, ['Middle', true, 1], ['Base', false, 1]]);
      assert.deepEqual(await readTree(middle.id), ['Middle', true, 1]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = NULL WHERE id = $1', [middle.id]);
      assert.deepEqual(await readTree(), ['Acme', true, 0, ['Base', false, 1]]);
      await parley.database.sql('DELETE FROM orgs WHERE id = $1', [lowest.id]);
      assert.deepEqual(await readTree(), ['Acme', true, 0]);
      await buildChild(client, orgId, 'New');
      assert.deepEqual(await readTree(), ['Acme', true, 0, ['New', true, 1]]);
    });

    it('have a new depth after a workspace above them moves', async () => {
      const { client, orgId } = await signIn();
      const { client: above, orgId: aboveId } = await signIn();
      await buildChild(client, orgId);
      const readDepths = async () => {
        const { body } = await client.get(`/api/orgs/${orgId}/hierarchy`);
        return [body.depth, body.children[0]!.depth];
      };
      assert.deepEqual(await readDepths(), [0, 1]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [orgId, aboveId]);
      assert.deepEqual(await readDepths(), [1, 2]);
      const top = await buildChild(above, aboveId, 'Top');
      await parley.database.sql('UPDATE orgs SET parent_org_id = NULL WHERE id = $1', [top.id]);
      await parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [aboveId, top.id]);
      assert.deepEqual(await readDepths(), [2, 3]);
    });

    itInSoak('are returned completely, even if there are 5,000', async () => {
      const { client, orgId } = await signIn();
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
    const insertOrg = (id: string, parentId: string | null) =>
      parley.database.sql(
        'INSERT INTO orgs (id, name, slug, parent_org_id, payer_id) VALUES ($1, $2, $3, $4, $1)',
        [id, 'Org', id, parentId],
      );
    const moveOrg = (id: string, parentId: string | null) =>
      parley.database.sql('UPDATE orgs SET parent_org_id = $2 WHERE id = $1', [id, parentId]);
    const insertChain = async (length: number) => {
      const ids = Array.from({ length }, () => newId());
      for (const [index, id] of ids.entries()) await insertOrg(id, ids[index - 1] ?? null);
      return ids as [string, ...string[]];
    };

    it('refuses a sixth level, whether a workspace is inserted or moved there', async () => {
      const five = await insertChain(5);
      await assert.rejects(insertOrg(newId(), five[4]!), { code: 'OH001' });
      const [top] = await insertChain(2);
      await assert.rejects(moveOrg(top, five[3]!), { code: 'OH001' });
      await moveOrg(top, five[2]!);
    });

    it('refuses cycles', async () => {
      const three = await insertChain(3);
      await assert.rejects(moveOrg(three[0], three[2]!), { code: 'OH002' });
      await assert.rejects(moveOrg(three[0], three[0]), { code: 'OH002' });
      const own = newId();
      await assert.rejects(insertOrg(own, own), { code: 'OH002' });
    });

    itInSoak(
      'refuses cycles and a sixth level within one statement, whatever the order of rows',
      async () => {
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
        const [one, other] = [await insertChain(1), await insertChain(1)];
        const swap =
          'UPDATE orgs SET parent_org_id = CASE id WHEN $1 THEN $2::uuid ELSE $1 END WHERE id IN ($1, $2)';
        await assert.rejects(parley.database.sql(swap, [one[0], other[0]]), { code: 'OH002' });
      },
    );

    itInSoak('allows no cycles and no sixth level through parallel moves', async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        const [a, b] = [(await insertChain(1))[0], (await insertChain(1))[0]];
        const moves = await Promise.allSettled([moveOrg(a, b), moveOrg(b, a)]);
        assert.deepEqual(moves.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
        const [upper, lower] = [await insertChain(3), await insertChain(3)];
        const deep = await Promise.allSettled([
          moveOrg(lower[0], upper[1]!),
          insertOrg(newId(), lower[2]!),
          insertOrg(newId(), lower[2]!),
        ]);
        assert.equal(
          deep[0].status === 'fulfilled',
          deep[1].status === 'rejected' && deep[2].status === 'rejected',
        );
      }
    });
  });
});
