import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { SavedView } from '../../entities/team/saved-view.entity.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { signInAs } from './support.ts';

const VIEWS = '/api/ext/saved-views';
const WAITING = {
  page: 'conversations',
  name: 'Waiting in German',
  query: { status: 'waiting_human', q: 'Hallo' },
} as const;
const MAX_OWN_VIEWS = 50;
const MAX_SHARED_VIEWS = 100;

describe('saved views:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  type Person = Awaited<ReturnType<typeof signInAs>>;
  const signIn = (role?: OrgRole, orgId?: string) => signInAs(parley, role, orgId);

  async function create({ session }: Person, view: object = WAITING) {
    const { status, body } = await session.post(VIEWS, view);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }
  const listNames = async ({ session }: Person, query = '') =>
    (await session.get(`${VIEWS}${query}`)).body.map(({ name }: { name: string }) => name);
  const pathTo = ({ id }: { id: string }) => `${VIEWS}/${id}` as const;
  const insertViews = ({ orgId, userId }: Person, count: number, isShared: boolean) =>
    parley.database.repository(SavedView).insert(
      Array.from({ length: count }, (_, position) => ({
        id: newId(),
        orgId,
        createdById: userId,
        page: 'audit' as const,
        name: `View ${position}`,
        query: {},
        position,
        isShared,
      })),
    );

  it('createSavedView appends a view, which listSavedViews returns only to its member', async () => {
    const person = await signIn('viewer');
    const { id, created_at, updated_at, ...rest } = await create(person);
    assert.deepEqual(rest, {
      ...WAITING,
      position: 0,
      is_shared: false,
      is_own: true,
      created_by_id: person.userId,
    });
    await create(person, { ...WAITING, name: 'Second' });
    await create(person, { page: 'contacts', name: 'Leads', query: {} });
    const { body } = await person.session.get(`${VIEWS}?page=conversations`);
    assert.deepEqual(body[0], { id, ...rest, created_at, updated_at });
    assert.deepEqual(
      body.map(({ name, position }: { name: string; position: number }) => [name, position]),
      [
        ['Waiting in German', 0],
        ['Second', 1],
      ],
    );
    assert.deepEqual(await listNames(person, '?page=contacts'), ['Leads']);
    const admin = await signIn('admin', person.orgId);
    assert.deepEqual(await listNames(admin), []);
  });

  it('listSavedViews returns only views of the session’s workspace', async () => {
    const person = await signIn();
    await create(person);
    const { orgId } = await signIn();
    const { userId } = person;
    await parley.database.repository(Membership).insert({ id: newId(), orgId, userId, role: 'owner' });
    const elsewhere = (await parley.signIn({ userId, orgId })).client;
    assert.deepEqual(await listNames({ ...person, session: elsewhere }), []);
    assert.deepEqual(await listNames(person), ['Waiting in German']);
  });

  it('listSavedViews sorts by position, which updateSavedView changes', async () => {
    const person = await signIn();
    const [, second] = [await create(person), await create(person, { ...WAITING, name: 'Second' })];
    await create(person, { ...WAITING, name: 'Third', position: 0 });
    assert.deepEqual(await listNames(person), ['Waiting in German', 'Third', 'Second']);
    const changes = { name: 'Now first', query: { status: 'ended' }, position: 0 };
    const { status, body } = await person.session.patch(pathTo(second), changes);
    assert.equal(status, 200);
    assert.deepEqual({ ...body, updated_at: second.updated_at }, { ...second, ...changes });
    assert.deepEqual(await listNames(person), ['Waiting in German', 'Now first', 'Third']);
  });

  it('createSavedView and updateSavedView let only admins share a view, which other members see but cannot change', async () => {
    const admin = await signIn('admin');
    const member = await signIn('member', admin.orgId);
    const refused = await member.session.post(VIEWS, { ...WAITING, is_shared: true });
    assert.equal(formatOutcome(refused), '403 forbidden');
    assert.equal(refused.problem.error.message, 'Only admins may share a view; your role is member.');
    const own = await create(member);
    const sharing = await member.session.patch(pathTo(own), { is_shared: true });
    assert.equal(formatOutcome(sharing), '403 forbidden');
    const shared = await create(admin, { ...WAITING, name: 'Of the team', is_shared: true });
    const { body } = await member.session.get(VIEWS);
    assert.deepEqual(
      body.map(({ name, is_own }: { name: string; is_own: boolean }) => [name, is_own]),
      [
        ['Waiting in German', true],
        ['Of the team', false],
      ],
    );
    const changed = await member.session.patch(pathTo(shared), { name: 'Mine' });
    assert.equal(formatOutcome(changed), '403 forbidden');
    assert.equal(changed.problem.error.message, 'Only the member who created this view may change it.');
    assert.equal(formatOutcome(await member.session.delete(pathTo(shared))), '403 forbidden');
    assert.equal((await admin.session.patch(pathTo(shared), { is_shared: false })).status, 200);
    assert.deepEqual(await listNames(member), ['Waiting in German']);
  });

  it('updateSavedView lets a member who is no longer an admin do nothing but stop sharing a view', async () => {
    const admin = await signIn('admin');
    const member = await signIn('member', admin.orgId);
    const shared = await create(admin, { ...WAITING, is_shared: true });
    const { orgId, userId } = admin;
    await parley.database.repository(Membership).update({ orgId, userId }, { role: 'viewer' });
    const changes = [{ name: 'Changed' }, { query: { q: 'changed' } }, { is_shared: true, position: 7 }];
    for (const change of changes) {
      const response = await admin.session.patch(pathTo(shared), change);
      assert.equal(formatOutcome(response), '403 forbidden', JSON.stringify(change));
    }
    assert.deepEqual((await member.session.get(VIEWS)).body[0]!.query, WAITING.query);
    const own = { name: 'Mine', is_shared: false };
    assert.equal(formatOutcome(await admin.session.patch(pathTo(shared), own)), '200');
    assert.deepEqual(await listNames(member), []);
  });

  it('updateSavedView and deleteSavedView do not find a view that another member has not shared', async () => {
    const owner = await signIn();
    const view = await create(await signIn('member', owner.orgId));
    const changed = await owner.session.patch(pathTo(view), { name: 'Mine' });
    assert.equal(formatOutcome(changed), '404 not_found');
    assert.equal(formatOutcome(await owner.session.delete(pathTo(view))), '404 not_found');
  });

  it('deleteSavedView deletes a member’s own view, and lets admins delete a shared view', async () => {
    const admin = await signIn('admin');
    const own = await create(admin);
    const shared = await create(admin, { ...WAITING, is_shared: true });
    const owner = await signIn('owner', admin.orgId);
    assert.equal(formatOutcome(await admin.session.delete(pathTo(own))), '200');
    assert.equal(formatOutcome(await owner.session.delete(pathTo(shared))), '200');
    assert.equal(formatOutcome(await admin.session.delete(pathTo(shared))), '404 not_found');
    assert.deepEqual(await listNames(admin), []);
  });

  it('createSavedView refuses an invisible name, 21 keys, 2,001 characters and values that are not strings', async () => {
    const { session } = await signIn();
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));
    for (const [fields, field, message] of [
      [{ name: '\u200b' }, 'name', 'must contain visible characters'],
      [{ query: keys(21) }, 'query', 'must have at most 20 keys'],
      [{ query: { q: '😀'.repeat(2000) } }, 'query', 'must have at most 2000 characters in all'],
      [{ query: { q: 1 } }, 'query.q', 'must be a string'],
    ] as const) {
      const refused = await session.post(VIEWS, { ...WAITING, ...fields });
      assert.equal(formatOutcome(refused), '422 validation_error');
      const [detail] = refused.problem.details;
      assert.deepEqual([detail!.field, detail!.message], [field, message]);
    }
    for (const query of [keys(20), { q: '😀'.repeat(1999) }])
      assert.equal((await session.post(VIEWS, { ...WAITING, query })).status, 201);
  });

  it('createSavedView refuses a member’s 51st view and, like updateSavedView, a workspace’s 101st shared view, whatever other workspaces share', async () => {
    const person = await signIn('admin');
    await insertViews(person, MAX_OWN_VIEWS, true);
    const own = await person.session.post(VIEWS, WAITING);
    assert.equal(formatOutcome(own), '409 conflict');
    assert.equal(own.problem.error.message, 'You can save at most 50 views; delete one first.');
    const colleague = await signIn('admin', person.orgId);
    await insertViews(await signIn('admin', person.orgId), MAX_SHARED_VIEWS - MAX_OWN_VIEWS, true);
    const view = await create(colleague);
    for (const refused of [
      await colleague.session.post(VIEWS, { ...WAITING, is_shared: true }),
      await colleague.session.patch(pathTo(view), { is_shared: true }),
    ]) {
      assert.equal(formatOutcome(refused), '409 conflict');
      assert.equal(
        refused.problem.error.message,
        'A workspace can have at most 100 shared views; delete one first.',
      );
    }
    const stranger = await signIn('admin');
    assert.equal((await stranger.session.post(VIEWS, { ...WAITING, is_shared: true })).status, 201);
  });

  it('all views of a member are deleted with the account', async () => {
    const person = await signIn('admin');
    await create(person);
    const accounts = new AccountRepository();
    await accounts.deactivate(parley.database, person.userId);
    await accounts.delete(parley.database, person.userId);
    assert.equal(await parley.database.repository(SavedView).countBy({ orgId: person.orgId }), 0);
  });
});
