import assert from 'node:assert/strict';
import type { Opened } from '../../database/sealed-columns.ts';
import type {
  ConversationRecord,
  ContactRecord,
  MessageRecord,
} from '../../services/archive/archive-records.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import {
  toContactRecord,
  toConversationRecord,
  toMessageRecord,
} from '../../services/archive/exports/archive-record-mapping.ts';
import {
  toContactRow,
  toConversationRow,
  toMessageRow,
} from '../../services/archive/exports/archive-row-mapping.ts';
import { fillRow, listDifferentColumns, listEqualColumns } from '../support/filled-row.ts';

/** Converts a database record to a line of an archive and back. */
const roundTrip = <R>(record: R): R => JSON.parse(JSON.stringify(record)) as R;

describe('importArchive of a row with a value in each column', () => {
  const contact = fillRow(Contact);
  const ids = { id: contact.id, botId: contact.botId };
  const record: ContactRecord = roundTrip(toContactRecord(contact));

  it('restores all columns of a contact, except its deletion, key and workspace', () => {
    const row = toContactRow(record, ids, false);
    assert.deepEqual(listDifferentColumns(contact, row).toSorted(), ['deletedAt', 'keyId', 'orgId']);
  });

  it('restores no details of a contact whose visitor has refused consent', () => {
    const row = toContactRow(record, ids, true);
    assert.deepEqual(listEqualColumns(contact, row).toSorted(), [
      'botId',
      'browserId',
      'createdAt',
      'firstSeenAt',
      'formerIds',
      'id',
      'identity',
      'removedFields',
      'tags',
      'visitorId',
    ]);
  });

  const address = 'https://www.example.com/prices';
  const title = 'Reach ada@example.com';
  const conversation: Opened<Conversation> = {
    ...fillRow(Conversation),
    pageUrl: address,
    referrer: address,
    title,
  };
  const toRow = (isRefused: boolean) => {
    const conversationRecord: ConversationRecord = roundTrip(toConversationRecord(conversation, [], true));
    return toConversationRow(conversationRecord, [], { ...conversation, isRefused, consent: null });
  };

  it('restores a conversation as ended, without its message counts, flow and handoff', () => {
    assert.deepEqual(listDifferentColumns(conversation, toRow(false)).toSorted(), [
      'assignedAt',
      'assignedToId',
      'handoffReason',
      'handoffRequestedAt',
      'hasVisitorMessage',
      'isInFlow',
      'keyId',
      'lastMessageHour',
      'messageCount',
      'orgId',
      'status',
    ]);
  });

  it('masks or omits details in a conversation whose visitor has refused consent', () => {
    const restoredRow = toRow(false);
    assert.deepEqual(listDifferentColumns(restoredRow, toRow(true)).toSorted(), [
      'country',
      'customFields',
      'isLead',
      'leadDetails',
      'title',
    ]);
  });

  it('restores all columns of a message, except its key, its workspace and the state of its answering', () => {
    const message: Opened<Message> = { ...fillRow(Message), citations: [] };
    const messageRecord: MessageRecord = roundTrip(
      toMessageRecord({ ...message, costUsd: String(message.costUsd) }),
    );
    const row = toMessageRow(
      messageRecord,
      message.conversationId,
      (id) => id,
      () => false,
    );
    assert.deepEqual(listDifferentColumns(roundTrip(message), row as object).toSorted(), [
      'clientId',
      'keyId',
      'leaseExpiresAt',
      'orgId',
      'state',
    ]);
  });
});
