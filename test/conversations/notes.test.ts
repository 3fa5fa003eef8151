import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { ConversationNote } from '../../entities/conversations/conversation-note.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { openEventStream } from '../support/event-stream.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { startActive, startWaiting } from './inbox-support.ts';

const TEXT = 'This customer had the same refund in May.';
const MAX_NOTES = 500;

describe('notes of a conversation:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  type Built = Awaited<ReturnType<typeof build>>;
  async function build() {
    const built = await startActive(parley);
    return { ...built, notes: `/api/ext/conversations/${built.id}/notes` as const };
  }
  const addMember = ({ orgId }: Built, role: OrgRole = 'member') => parley.buildOrg({ orgId, role });

  async function write({ client, notes }: Pick<Built, 'client' | 'notes'>, mentions: string[] = []) {
    const { status, body } = await client.post(notes, { text: TEXT, mentions });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }
  const countNotes = ({ id }: Built) =>
    parley.database.repository(ConversationNote).countBy({ conversationId: id });
  const listMentionMails = ({ orgId }: Built) =>
    parley.database.repository(MailRow).findBy({ orgId, template: 'note_mention' });

  it('createConversationNote stores a note, which listConversationNotes returns with its author, newest first', async () => {
    const built = await build();
    const { client, notes, id, userId } = built;
    const first = await write(built);
    const { id: noteId, created_at, ...rest } = first;
    assert.deepEqual(rest, {
      conversation_id: id,
      author: { id: userId, full_name: 'Ada Okafor', avatar_url: null },
      text: TEXT,
      mentions: [],
    });
    assert.ok(noteId && Date.parse(created_at));
    const viewer = await addMember(built, 'viewer');
    const second = await write({ ...(await addMember(built)), notes });
    for (const reader of [client, viewer.client]) {
      const { body } = await reader.get(notes);
      assert.deepEqual([body.items, body.total], [[second, first], 2]);
    }
  });

  it('createConversationNote adds nothing to what the visitor, the model, webhooks and the transcript get', async () => {
    const built = await build();
    const { client, visitor, path, id, orgId } = built;
    await visitor.post(`${path}/messages`, { content: 'Hello' });
    const readAll = async () => [
      (await visitor.get(`${path}/messages`)).body,
      (await client.get(`/api/conversations/${id}`)).body,
      (await client.get(`/api/conversations/${id}/messages`)).body,
      await (await client.fetch(`/api/conversations/${id}/transcript`)).text(),
      await parley.database.repository(OutboxRow).findBy({ orgId, kind: 'event' }),
    ];
    const before = await readAll();
    await write(built);
    assert.deepEqual(await readAll(), before);
  });

  it('createConversationNote emails the mentioned members except the author, without the text', async () => {
    const built = await build();
    const { userId, notes, id, orgId } = built;
    const [colleague, viewer, unverified] = [
      await addMember(built),
      await addMember(built, 'viewer'),
      await addMember(built),
    ];
    await parley.database.repository(User).update(unverified.userId, { emailVerifiedAt: null });
    const mentions = [userId, colleague.userId, viewer.userId, unverified.userId];
    const note = await write(built, mentions);
    assert.deepEqual(note.mentions, mentions);
    const mails = await listMentionMails(built);
    assert.deepEqual(
      mails.map((mail) => [mail.userId, mail.key]).toSorted(),
      [colleague, viewer]
        .map((reader) => [reader.userId, `note-mention/${id}/${note.id}/${reader.userId}`])
        .toSorted(),
    );
    const { capturedMails } = parley.runtime.services.mail;
    await parley.database.repository(MailRow).update({ orgId }, { state: 'kept' });
    const mail = await capturedMails.find(parley.database, mails[0]!.id);
    assert.equal(mail!.subject, 'Ada Okafor mentioned you in a note');
    assert.ok(mail!.text.includes(`/console#/conversations/${id}?workspace=${orgId}`), mail!.text);
    assert.ok(!mail!.text.includes('refund'));
    assert.ok(mail!.headers['List-Unsubscribe']);
    assert.equal((await built.client.get(notes)).body.total, 1);
  });

  it('createConversationNote refuses mentioned people who are not members, and names their position in the list', async () => {
    const built = await build();
    const { client, notes, userId } = built;
    const stranger = await parley.buildOrg();
    for (const id of [stranger.userId, newId(), 'grace']) {
      const refused = await client.post(notes, { text: TEXT, mentions: [userId, id] });
      assert.equal(formatOutcome(refused), '422 validation_error');
      const [detail] = refused.problem.details;
      assert.deepEqual(
        [detail!.field, detail!.message],
        ['mentions[1]', 'is not a member of this workspace'],
      );
    }
    assert.equal(await countNotes(built), 0);
  });

  it('createConversationNote refuses an invisible text, and the 501st note', async () => {
    const built = await build();
    const { client, notes, id, orgId } = built;
    const invisible = await client.post(notes, { text: '\u200b' });
    assert.equal(formatOutcome(invisible), '422 validation_error');
    assert.equal(invisible.problem.details[0]!.field, 'text');
    await parley.database.sql(
      `INSERT INTO conversation_notes (id, org_id, conversation_id, text)
       SELECT gen_random_uuid(), $1, $2, 'Yes.' FROM generate_series(1, ${MAX_NOTES})`,
      [orgId, id],
    );
    const refused = await client.post(notes, { text: TEXT });
    assert.equal(formatOutcome(refused), '409 conflict');
    assert.equal(
      refused.problem.error.message,
      'A conversation can have at most 500 notes; delete one first.',
    );
  });

  it('deleteConversationNote accepts only the author and admins', async () => {
    const built = await build();
    const { client, notes } = built;
    const [author, colleague] = [await addMember(built), await addMember(built)];
    const [own, other] = [await write({ ...author, notes }), await write({ ...author, notes })];
    const refused = await colleague.client.delete(`${notes}/${own.id}`);
    assert.equal(formatOutcome(refused), '403 forbidden');
    assert.equal(refused.problem.error.message, 'Only the author and admins may delete a note.');
    assert.equal(formatOutcome(await author.client.delete(`${notes}/${own.id}`)), '200');
    assert.equal(formatOutcome(await client.delete(`${notes}/${other.id}`)), '200');
    assert.equal(formatOutcome(await client.delete(`${notes}/${other.id}`)), '404 not_found');
    assert.equal(await countNotes(built), 0);
  });

  it('deleteConversationNote returns 404 for all but one of several requests at once', async () => {
    const built = await build();
    const note = await write(built);
    const deletions = Array.from({ length: 4 }, () => built.client.delete(`${built.notes}/${note.id}`));
    const outcomes = (await Promise.all(deletions)).map(formatOutcome).sort();
    assert.deepEqual(outcomes, ['200', ...Array<string>(3).fill('404 not_found')]);
  });

  it('deleteConversationNote finds a note only in its own conversation', async () => {
    const built = await build();
    const note = await write(built);
    const { body } = await parley.client().post(`/api/public/bots/${built.bot.public_key}/sessions`, {});
    const elsewhere = `/api/ext/conversations/${body.session_id}/notes/${note.id}` as const;
    assert.equal(formatOutcome(await built.client.delete(elsewhere)), '404 not_found');
    assert.equal(await countNotes(built), 1);
  });

  it('streamInbox sends an event when a note is written and deleted, whether or not the conversation is in the inbox', async () => {
    const waiting = await startWaiting(parley);
    const { client, id, bot } = waiting;
    const events = await openEventStream(client, '/api/inbox/stream');
    const waitForEvent = async (event: string, conversationId: string) => {
      for (let next = await events.next(); next.event !== event || next.data.id !== conversationId;)
        next = await events.next();
    };
    await waitForEvent('item', id);
    const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    for (const [event, each] of [
      ['item', id],
      ['removed', body.session_id],
    ] as const) {
      const notes = `/api/ext/conversations/${each}/notes` as const;
      const note = await write({ client, notes });
      await waitForEvent(event, each);
      await client.delete(`${notes}/${note.id}`);
      await waitForEvent(event, each);
    }
    events.close();
  });

  it('deleteConversation deletes its notes', async () => {
    const built = await build();
    await write(built);
    await built.client.delete(`/api/conversations/${built.id}`);
    assert.equal(await countNotes(built), 0);
  });

  it('notes remain without their author once the account is deleted', async () => {
    const built = await build();
    const author = await addMember(built);
    await write({ ...author, notes: built.notes });
    await parley.database.repository(User).delete(author.userId);
    const { body } = await built.client.get(built.notes);
    assert.deepEqual([body.items[0]!.author, body.items[0]!.text], [null, TEXT]);
  });
});
