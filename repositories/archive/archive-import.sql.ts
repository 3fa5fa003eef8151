import { defineStatement, type StatementDefinition } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import {
  IMPORTED_CONTACT_COLUMNS,
  IMPORTED_CONVERSATION_COLUMNS,
  ARCHIVED_MESSAGE_COLUMNS,
} from './archived-columns.ts';

/** An imported message, with times as text in ISO 8601. */
export type ImportedMessage = Pick<
  Opened<Message>,
  Exclude<(typeof ARCHIVED_MESSAGE_COLUMNS)[number], 'createdAt' | 'mailedAt' | 'stoppedAt'>
> & {
  createdAt: string;
  mailedAt: string | null;
  stoppedAt: string | null;
};

export type ImportedConversation = Pick<Opened<Conversation>, (typeof IMPORTED_CONVERSATION_COLUMNS)[number]>;

export type ImportedContact = Pick<Opened<Contact>, (typeof IMPORTED_CONTACT_COLUMNS)[number]>;

export const INSERT_IMPORTED_CONVERSATIONS = defineStatement(
  buildImportInsert('insert-imported-conversations', Conversation, [
    ...IMPORTED_CONVERSATION_COLUMNS,
    'keyId',
  ]),
);

export const INSERT_IMPORTED_MESSAGES = defineStatement(
  buildImportInsert('insert-imported-messages', Message, [...ARCHIVED_MESSAGE_COLUMNS, 'keyId']),
);

const contacts = buildImportInsert('insert-imported-contacts', Contact, [
  ...IMPORTED_CONTACT_COLUMNS,
  'keyId',
]);

/**
 * Inserts imported contacts and returns the ids of the inserted contacts. Skips a contact if the same visitor
 * already has a contact.
 */
export const INSERT_IMPORTED_CONTACTS = defineStatement<{ id: string }>({
  ...contacts,
  text: `${contacts.text} ON CONFLICT DO NOTHING RETURNING id`,
});

/** Builds a statement that inserts imported rows. Parameters: $1 rows as a JSON list, $2 their workspace. */
function buildImportInsert<T extends { orgId: string; keyId: string | null }>(
  name: string,
  entity: new () => T,
  properties: (keyof T & string)[],
): StatementDefinition {
  const { table, bare, typed } = aliasTable(entity, 'row');
  return {
    name,
    because: 'A batch of rows this wide exceeds the parameter limit of a statement (bench archive).',
    isPrepared: true,
    text: `
      INSERT INTO ${table} (${bare('orgId', ...properties)})
      SELECT $2, ${properties.map((property) => `"${property}"`).join(', ')}
      FROM json_to_recordset($1::json) AS imported (${typed(...properties)})`,
  };
}

/**
 * Makes the commit of an import's transaction asynchronous, and lets each GIN index collect up to 64 MB of
 * pending entries.
 */
export const BATCH_SETTINGS = defineStatement({
  name: 'import-batch-settings',
  because: 'Sets parameters of the transaction.',
  text: `SELECT set_config(name, value, true) FROM (VALUES
    ('gin_pending_list_limit', '65536'), ('synchronous_commit', 'off')) AS settings (name, value)`,
});

/**
 * Merges the pending entries of GIN indexes that the database role owns. Autovacuum merges the entries of all
 * other indexes.
 */
export const MERGE_WORDS = defineStatement({
  name: 'merge-words',
  because: 'Only a PostgreSQL function can merge the pending list of a GIN index (bench archive).',
  text: `SELECT gin_clean_pending_list(oid) FROM pg_class
    WHERE oid = ANY(ARRAY(SELECT to_regclass(name)
        FROM unnest('{ix_contacts_text,ix_contacts_visitor_text,ix_conversations_text,ix_messages_text}'::text[]) AS name))
      AND pg_has_role(relowner, 'USAGE')`,
});
