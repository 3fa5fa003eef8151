import assert from 'node:assert/strict';
import { AlertMessage } from '../../../entities/alerts/alert-message.entity.ts';
import { Alert } from '../../../entities/alerts/alert.entity.ts';
import { Contact } from '../../../entities/contacts/contact.entity.ts';
import { mailPagesToken } from '../../../api/mail/mail-pages-access.ts';
import { newId } from '../../../core/ids.ts';
import { OutboxService } from '../../../services/outbox/outbox-service.ts';
import type { TestOrg } from '../../support/parley.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { buildBot, startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import {
  addAlerts,
  connectChat,
  IMPATIENT,
  readCapturedTexts,
  savePolicy,
  takeTurn,
} from '../../alerts/support.ts';

const outbox = new OutboxService();

describe('the content of alerts', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let botId: string;
  let destination: string;
  let policyId: string;

  before(async () => (parley = await startParleyWithWorker(IMPATIENT)));
  after(() => parley.stop());
  beforeEach(async () => {
    org = await parley.buildOrg();
    botId = await buildBot(org);
    destination = await connectChat(parley, org);
    ({ id: policyId } = await savePolicy(org, { channel: 'telegram', destination, intensity: 'all' }));
  });

  async function addContact(name: string): Promise<string> {
    const id = newId();
    const contact = { id, orgId: org.orgId, botId, visitorId: id, browserId: id, name };
    await parley.database.repository(Contact).insert(contact);
    return id;
  }

  /** Creates a conversation of a visitor who waits for a team member. */
  async function createWaitingConversation(contactId: string): Promise<string> {
    const path = `/api/bots/${botId}` as const;
    await org.client.patch(path, { handoff_enabled: true, status: 'active' });
    const { body: bot } = await org.client.get(path);
    const visit = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const { session_id: id, visitor_token: token } = visit.body as {
      session_id: string;
      visitor_token: string;
    };
    await parley.database.manager.update('Conversation', { id }, { contactId });
    await parley.client(token).post(`/api/public/sessions/${id}/handoff`, {});
    return id;
  }

  it('names the waiting visitor as in the contact', async () => {
    await createWaitingConversation(await addContact('Ada *_[ Lovelace'));
    await waitUntil(
      async () => (await readCapturedTexts(parley, destination)).some((text) => text.startsWith('A visitor')),
      'it',
    );
    const text = (await readCapturedTexts(parley, destination)).find((each) => each.startsWith('A visitor'))!;
    assert.match(text, /^A visitor asks for a person: Guide · Ada \*_\[ Lovelace Open/);
  });

  it('is withdrawn if a member claims the handoff', async () => {
    const conversationId = await createWaitingConversation(await addContact('Ada'));
    await org.client.post(`/api/inbox/${conversationId}/claim`, {});
    const other = await savePolicy(org, { channel: 'telegram', destination, bot_id: botId, events: [] });
    const ids = { conversation_id: conversationId, bot_id: botId };
    await addAlerts(parley, org, other.id, [{ name: 'handoff.requested', ids }]);
    assert.equal(await takeTurn(parley, org, other.id), 'withdrawn');
  });

  it('loses the lead at eraseContact, even on the development page', async () => {
    const contactId = await addContact('Zaphod Beeblebrox');
    const data = { contact_id: contactId } as never;
    await outbox.event({ orgId: org.orgId, db: parley.database }, 'contact.updated', data, botId);
    await waitUntil(async () => (await readCapturedTexts(parley, destination)).length > 0, 'the alert');
    assert.match((await readCapturedTexts(parley, destination))[0]!, /Zaphod Beeblebrox/);
    const token = mailPagesToken(parley.runtime.settings)!;
    const page = async () => (await fetch(`${parley.baseUrl}/dev/mail/chats?token=${token}`)).text();
    assert.match(await page(), /Zaphod Beeblebrox/);
    assert.equal((await org.client.post(`/api/contacts/${contactId}/erase`, {})).status, 202);
    const messages = parley.database.repository(AlertMessage);
    await waitUntil(
      async () => (await messages.findOneByOrFail({ policyId })).content === null,
      'the erasure',
    );
    assert.equal(await parley.database.repository(Alert).countBy({ policyId }), 0);
    assert.ok(!(await page()).includes('Zaphod'));
    await addAlerts(parley, org, policyId, [{ name: 'lead.captured', ids: { contact_id: contactId } }]);
    assert.equal(await takeTurn(parley, org, policyId), 'withdrawn');
  });
});
