import assert from 'node:assert/strict';
import { contact as resource } from '../../api/contacts/contact.resource.ts';
import { buildExample } from '../../api/http/openapi/schema-example.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { fillRow, listDifferentColumns, listEqualColumns } from '../support/filled-row.ts';
import { signIdentityToken } from '../support/identity-token.ts';
import type { TestParley } from '../support/parley.ts';
import { ADA, useIdentity } from './identity-support.ts';
import { listContacts } from './support.ts';

/** Database columns of a contact that identify its visitor. */
const KEYS: ReadonlySet<string> = new Set<keyof Contact>([
  'id',
  'orgId',
  'botId',
  'visitorId',
  'browserId',
  'identity',
  'firstSeenAt',
  'createdAt',
  'deletedAt',
  'formerIds',
  'keyId',
]);

/** Values in all columns of a contact except those that identify the visitor. */
const details = Object.fromEntries(
  Object.entries(fillRow(Contact)).filter(([column]) => !KEYS.has(column)),
) as Partial<Opened<Contact>>;

describe('a contact with a value in each column', () => {
  let parley: TestParley;
  const { build, session } = useIdentity((started) => (parley = started));

  const rows = () => parley.database.repository(Contact);
  const readContact = (id: string) =>
    rows().findOneByOrFail({ id }) as Promise<object> as Promise<Opened<Contact>>;

  async function insertFilledContact({ orgId, bot }: { orgId: string; bot: { id: string } }) {
    const row: Opened<Contact> = { ...fillRow(Contact), orgId, botId: bot.id, deletedAt: null, keyId: null };
    await rows().insert(row as object);
    return row;
  }

  /** Starts the session of a visitor whose contact has a value in each column. */
  async function startFilledSession(org: Awaited<ReturnType<typeof build>>, visitorId: string) {
    const started = await session(org.bot.public_key, { visitor_id: visitorId });
    await started.post('lead', { fields: { name: 'Ada' } });
    const contacts = await listContacts(org);
    const { id } = contacts.find(({ visitor_id }) => visitor_id === visitorId)!;
    await rows().update({ id }, details as object);
    return { ...started, id };
  }

  it('has only keys and times after eraseContact', async () => {
    const org = await build();
    const filledContact = await insertFilledContact(org);
    assert.equal((await org.client.post(`/api/contacts/${filledContact.id}/erase`)).status, 202);
    assert.deepEqual(listEqualColumns(filledContact, await readContact(filledContact.id)).toSorted(), [
      'botId',
      'browserId',
      'createdAt',
      'firstSeenAt',
      'formerIds',
      'id',
      'keyId',
      'orgId',
    ]);
  });

  it('has only the values set by the team after setWidgetConsent with "withdrawn"', async () => {
    const { id, post } = await startFilledSession(await build(), 'laptop');
    assert.equal((await post('consent', { consent: 'withdrawn' })).status, 200);
    assert.deepEqual(listEqualColumns(details, await readContact(id)).toSorted(), ['removedFields', 'tags']);
  });

  it('cannot get values about the visitor through updateContact after setWidgetConsent with "denied"', async () => {
    const org = await build();
    const { id, post } = await startFilledSession(org, 'laptop');
    await post('consent', { consent: 'denied' });
    const acceptedFields: string[] = [];
    for (const [field, schema] of Object.entries(resource.update)) {
      const value = field === 'custom_fields' ? { seats: 3 } : buildExample(schema, 'request', field);
      const { status } = await org.client.patch(`/api/contacts/${id}`, { [field]: value });
      if (status === 200) acceptedFields.push(field);
      else assert.equal(status, 409, field);
    }
    assert.deepEqual(acceptedFields, ['tags', 'is_lead']);
  });

  it('gives all details to the verified contact into which startWidgetSession merges it', async () => {
    const org = await build();
    const token = () => signIdentityToken(org.secret, { sub: ADA.sub });
    await session(org.bot.public_key, { visitor_id: 'phone', identity_token: token() });
    const [verified] = await listContacts(org);
    await startFilledSession(org, 'laptop');
    await session(org.bot.public_key, { visitor_id: 'laptop', identity_token: token() });
    const mergedContact = await readContact(verified!.id);
    // The merged contact's email address counts as unverified, because only identity tokens verify addresses.
    assert.deepEqual(listDifferentColumns(details, mergedContact), ['isEmailVerified']);
  });

  it('appears with all texts in the file of exportContacts, except its identity and removed fields', async () => {
    const org = await build();
    const filledContact = await insertFilledContact(org);
    const file = await (await org.client.fetch('/api/contacts/export')).text();
    const texts = Object.entries(filledContact).flatMap(([column, value]) =>
      JSON.stringify(value).includes(`her ${column}`) ? [column] : [],
    );
    const missingColumns = texts.filter((column) => !file.includes(`her ${column}`));
    assert.deepEqual(missingColumns, ['identity', 'removedFields']);
  });
});
