import assert from 'node:assert/strict';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { decryptMail } from '../../services/mail/mail-content.ts';
import { startActive, startWaiting } from '../conversations/inbox-support.ts';
import { findOpened } from '../support/find-opened.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const LAST = 'You have received 2 emails about';

describe('limits on emails to the team that visitors and colleagues cause:', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ noticeMailsPerDay: 2 });
  });
  after(() => parley.stop());

  const notices = () => parley.runtime.services.mail.teamNotices;

  /** Returns the values of a workspace's queued emails of a template. */
  async function listMails(orgId: string, template: string): Promise<string[]> {
    const rows = await findOpened(parley.database, MailRow, { where: { orgId, template } });
    return rows.map(({ id, content }) => JSON.stringify(decryptMail(parley.runtime.keyring, id, content!)));
  }

  /** Asserts that two emails were sent, one of which says that it is the last one of the day. */
  async function assertTwoMails(orgId: string, template: string): Promise<void> {
    const mails = await listMails(orgId, template);
    assert.deepEqual(
      // Sort the emails, because concurrent transactions may begin in a different order from that in which
      // they are counted.
      mails.map((mail) => mail.includes(LAST)).toSorted(),
      [false, true],
    );
  }

  it('requestWidgetHandoff emails a member at most 100 times a day, and the last email announces the limit', async () => {
    const { orgId, id: conversationId } = await startWaiting(parley);
    const mailed = await Promise.all(
      ['a', 'b', 'c', 'd'].map((key) =>
        notices().mailHandoffRequested(
          parley.database,
          { orgId, conversationId, botId: conversationId },
          key,
        ),
      ),
    );
    assert.deepEqual(mailed.toSorted(), [0, 0, 1, 1]);
    await assertTwoMails(orgId, 'handoff_requested');
  });

  it('submitWidgetLead emails a member at most 100 times a day, and the last email announces the limit', async () => {
    const form = { enabled: true, fields: [{ key: 'email', label: 'Email', type: 'email' }] };
    const { orgId, bot, client, id: conversationId, visitor, path } = await startActive(parley);
    await client.patch(`/api/bots/${bot.id}`, { lead_capture_config: form });
    const { status } = await visitor.post(`${path}/lead`, { fields: { email: 'ada@example.com' } });
    assert.equal(status, 200);
    const { body } = await client.get('/api/contacts');
    const lead = { orgId, botId: bot.id, contactId: body.items[0]!.id, conversationId };
    const mailed: number[] = [];
    for (const key of ['a', 'b', 'c'])
      mailed.push(await notices().mailLeadCaptured(parley.database, lead, `lead-${key}`));
    assert.deepEqual(mailed, [1, 1, 0]);
    await assertTwoMails(orgId, 'lead_captured');
  });

  it('createConversationNote emails a mentioned member at most 100 times a day, and the last email announces the limit', async () => {
    const { client, id, orgId } = await startActive(parley);
    const { userId } = await parley.buildOrg({ orgId, role: 'member' });
    const texts = ['First', 'Second', 'Third', 'Fourth'];
    const notes = await Promise.all(
      texts.map((text) => client.post(`/api/ext/conversations/${id}/notes`, { text, mentions: [userId] })),
    );
    assert.deepEqual(
      notes.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    await assertTwoMails(orgId, 'note_mention');
  });
});
