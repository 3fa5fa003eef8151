import { Readable } from 'node:stream';
import { formatContentDisposition } from '../../adapters/storage/filename.ts';
import { mapPage } from '../../database/page.ts';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation, replyWith } from '../http/operation.ts';
import { Message, PageSchema } from '../http/schemas/schemas.ts';
import { contact } from './contact.resource.ts';
import { contactsCsv, presentContact } from './contacts.presenter.ts';
import {
  ContactExportQuery,
  ContactListQuery,
  ContactParams,
  ContactRead,
  ContactUpdate,
} from './contacts.schemas.ts';

const readAccess = { tag: 'contacts', auth: 'member', scope: 'contacts:read', role: 'viewer' } as const;

export const listContacts = defineOperation({
  ...readAccess,
  id: 'listContacts',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/contacts',
  query: ContactListQuery,
  responses: { 200: PageSchema(ContactRead) },
  summary: 'A page of the workspace’s contacts, newest first.',
  handle: async ({ ctx, query }, { conversations: { contacts } }) =>
    mapPage(await contacts.list(ctx, query), presentContact),
});

export const exportContacts = defineOperation({
  ...readAccess,
  id: 'exportContacts',
  readsContent: true,
  role: 'admin',
  method: 'GET',
  path: '/api/contacts/export',
  query: ContactExportQuery,
  responses: {
    200: {
      content: { 'text/csv': null },
      description:
        'The contacts, newest first. An apostrophe precedes any text that a spreadsheet would read as a formula.',
    },
  },
  summary: 'All contacts that match the filters, as a CSV file.',
  exposes: 'content',
  freshProof: true,
  notifies: ({ query }) => accessWords.contactsExported(query),
  handle: async ({ ctx, query }, { conversations: { contacts } }) =>
    replyWith.file({
      content: Readable.from(contactsCsv(await contacts.exportAll(ctx, query))),
      contentType: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': formatContentDisposition('contacts.csv') },
    }),
});

export const getContact = defineOperation({
  ...readAccess,
  id: 'getContact',
  readsContent: true,
  method: 'GET',
  path: '/api/contacts/{contact_id}',
  params: ContactParams,
  responses: { 200: ContactRead },
  summary: 'Return a contact.',
  handle: async ({ ctx, params }, { conversations: { contacts } }) =>
    presentContact(await contacts.get(ctx, params.contact_id)),
});

export const eraseContact = defineOperation({
  tag: 'contacts',
  auth: 'member',
  scope: 'contacts:write',
  role: 'admin',
  id: 'eraseContact',
  method: 'POST',
  path: '/api/contacts/{contact_id}/erase',
  params: ContactParams,
  responses: { 202: Message },
  errors: ['conflict'],
  summary:
    'Erase a person. The contact and all conversations are deleted immediately, then copies in the webhook log and in stored responses.',
  handle: async ({ ctx, params }, { conversations: { erasure } }) => {
    await erasure.erase(ctx, params.contact_id);
    return { message: 'The contact and all conversations are deleted; copies of them are being deleted.' };
  },
});

export const updateContact = defineOperation({
  tag: 'contacts',
  auth: 'member',
  scope: 'contacts:write',
  role: 'member',
  id: 'updateContact',
  readsContent: true,
  method: 'PATCH',
  path: '/api/contacts/{contact_id}',
  params: ContactParams,
  body: ContactUpdate,
  responses: { 200: ContactRead },
  errors: ['conflict'],
  summary:
    'Change a contact. Absent fields stay unchanged. Contact details are refused if the visitor has refused consent.',
  handle: async ({ ctx, params, body }, { conversations: { contacts } }) =>
    presentContact(await contacts.update(ctx, params.contact_id, contact.toChanges(body))),
});
