import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { SavedReply } from '../../entities/conversations/saved-reply.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type ApiClient, type SharedParley, type TestOrg } from '../support/parley.ts';

const REPLIES = '/api/ext/saved-replies';
const MAX_SAVED_REPLIES = 500;
const HOURS = { name: 'Opening hours', text: 'Nine to five, Monday to Friday.' };

describe('saved replies:', () => {
  let parley: SharedParley;
  let org: TestOrg;
  before(async () => {
    parley = await startSharedParley();
  });
  beforeEach(async () => {
    org = await parley.buildOrg({ role: 'member' });
  });

  async function create(reply: object = HOURS, client: ApiClient = org.client) {
    const { status, body } = await client.post(REPLIES, reply);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }
  const listNames = async (query = '', client: ApiClient = org.client) => {
    const { body } = await client.get(`${REPLIES}${query}`);
    return body.items.map(({ name }: { name: string }) => name);
  };
  const pathTo = ({ id }: { id: string }) => `${REPLIES}/${id}` as const;

  it('createSavedReply stores a reply, which listSavedReplies returns, newest first', async () => {
    const { id, created_at, updated_at, ...rest } = await create({ ...HOURS, name: '  Opening hours ' });
    assert.deepEqual(rest, { ...HOURS, created_by_id: org.userId });
    assert.equal(created_at, updated_at);
    await create({ name: 'Refund', text: 'We refund within 14 days.' });
    const { body } = await org.client.get(REPLIES);
    assert.deepEqual(body.items[1], { id, ...rest, created_at, updated_at });
    assert.equal(body.total, 2);
    assert.deepEqual(await listNames(), ['Refund', 'Opening hours']);
  });

  it('listSavedReplies finds a part of name or text, in any case, and takes % and _ literally', async () => {
    await create();
    await create({ name: 'Discount', text: 'You get 10% off with the code bike_10.' });
    assert.deepEqual(await listNames('?q=HOURS'), ['Opening hours']);
    assert.deepEqual(await listNames('?q=monday'), ['Opening hours']);
    assert.deepEqual(await listNames('?q=10%25'), ['Discount']);
    assert.deepEqual(await listNames('?q=bike_10'), ['Discount']);
    assert.deepEqual(await listNames('?q=n%25s'), []);
    assert.deepEqual(await listNames('?q=refund'), []);
  });

  it('createSavedReply and updateSavedReply refuse the name of another reply, whatever its case', async () => {
    await create();
    const refund = await create({ name: 'Refund', text: 'We refund within 14 days.' });
    const taken = [
      await org.client.post(REPLIES, { ...HOURS, name: 'OPENING HOURS ' }),
      await org.client.patch(pathTo(refund), { name: 'opening Hours' }),
    ];
    for (const response of taken) {
      assert.equal(formatOutcome(response), '409 conflict');
      assert.equal(
        response.problem.error.message,
        'Another saved reply already has this name; choose a different name.',
      );
    }
    const renamed = await org.client.patch(pathTo(refund), { name: 'REFUND' });
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'REFUND']);
  });

  it('createSavedReply refuses the name of another reply in decomposed letters', async () => {
    await create({ name: 'Café', text: 'It opens at 8 am.' });
    const refused = await org.client.post(REPLIES, { ...HOURS, name: 'CAFE\u0301' });
    assert.equal(formatOutcome(refused), '409 conflict');
  });

  it('createSavedReply accepts the name of another workspace’s reply', async () => {
    await create();
    const other = await parley.buildOrg();
    await create(HOURS, other.client);
    assert.deepEqual(await listNames('', other.client), ['Opening hours']);
  });

  it('createSavedReply stores one of several concurrent replies with the same name', async () => {
    const responses = await Promise.all(Array.from({ length: 4 }, () => org.client.post(REPLIES, HOURS)));
    assert.deepEqual(responses.map(formatOutcome).toSorted(), [
      '201',
      '409 conflict',
      '409 conflict',
      '409 conflict',
    ]);
  });

  it('createSavedReply refuses an invisible name or text, and the 501st reply', async () => {
    for (const field of ['name', 'text']) {
      const refused = await org.client.post(REPLIES, { ...HOURS, [field]: '\u200b' });
      assert.equal(formatOutcome(refused), '422 validation_error');
      assert.equal(refused.problem.details[0]!.field, field);
    }
    const rows = Array.from({ length: MAX_SAVED_REPLIES }, (_, index) => ({
      id: newId(),
      orgId: org.orgId,
      name: `Reply ${index}`,
      nameKey: `reply ${index}`,
      text: 'Yes.',
    }));
    await parley.database.repository(SavedReply).insert(rows);
    const refused = await org.client.post(REPLIES, HOURS);
    assert.equal(formatOutcome(refused), '409 conflict');
    assert.equal(
      refused.problem.error.message,
      'A workspace can have at most 500 saved replies; delete one first.',
    );
  });

  it('updateSavedReply changes only the given fields', async () => {
    const reply = await create();
    const { status, body } = await org.client.patch(pathTo(reply), { text: 'Ten to six.' });
    const { updated_at, ...rest } = body;
    assert.equal(status, 200);
    assert.deepEqual({ ...rest, updated_at: reply.updated_at }, { ...reply, text: 'Ten to six.' });
    assert.ok(updated_at >= reply.updated_at);
  });

  it('deleteSavedReply deletes the reply, and a second request returns 404', async () => {
    const reply = await create();
    assert.equal(formatOutcome(await org.client.delete(pathTo(reply))), '200');
    assert.deepEqual(await listNames(), []);
    assert.equal(formatOutcome(await org.client.delete(pathTo(reply))), '404 not_found');
  });

  it('saved replies remain without their creator once the account is deleted', async () => {
    const colleague = await parley.buildOrg({ role: 'member', orgId: org.orgId });
    const { id } = await create(HOURS, colleague.client);
    await parley.database.repository(User).delete(colleague.userId);
    const { body } = await org.client.get(REPLIES);
    assert.deepEqual([body.items[0]!.id, body.items[0]!.created_by_id], [id, null]);
  });
});
