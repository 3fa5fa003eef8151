import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../core/errors/errors.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import { toVisitor, type VisitorOfBot } from '../../repositories/contacts/visitor.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';

/**
 * Columns of a contact that `ContactChanges` excludes: keys, times, and columns that only merges and erasures
 * change.
 */
type FixedColumn =
  | 'id'
  | 'orgId'
  | 'botId'
  | 'visitorId'
  | 'browserId'
  | 'identity'
  | 'removedFields'
  | 'firstSeenAt'
  | 'createdAt'
  | 'deletedAt'
  | 'formerIds'
  | 'keyId';
type Column = Exclude<keyof Contact, FixedColumn>;

/** The API's names of a contact's changeable columns, which the event `contact.updated` also uses. */
const fieldNames = {
  name: 'name',
  email: 'email',
  isEmailVerified: 'email_verified',
  phone: 'phone',
  country: 'country',
  customFields: 'custom_fields',
  tags: 'tags',
  isLead: 'is_lead',
} as const satisfies Record<Column, string>;

type Field = (typeof fieldNames)[Column];
const changeableFields = Object.entries(fieldNames) as [Column, Field][];

/** Changes to a contact. A missing key leaves the field unchanged; null clears it. */
export type ContactChanges = { [C in Column as (typeof fieldNames)[C]]?: Opened<Contact>[C] };

/**
 * Tells for each field of a contact whether its value is information about the visitor, which Parley stores
 * only with consent.
 */
const needsConsent: Readonly<Record<Field, boolean>> = {
  name: true,
  email: true,
  email_verified: false,
  phone: true,
  country: true,
  custom_fields: true,
  tags: false,
  is_lead: false,
};

export interface ContactChangeDeps {
  contacts: ContactRepository;
  outbox: OutboxService;
}

/** Returns the entry for a custom field in a contact's list of removed fields. */
export function toCustomFieldName(key: string): string {
  return `custom_fields.${key}`;
}

/**
 * Values of a contact's columns without anything that its visitor has provided. Tags are excluded, because
 * the team sets them.
 */
export const CLEARED_COLUMNS: Pick<Opened<Contact>, Exclude<Column, 'tags'>> = {
  name: null,
  email: null,
  isEmailVerified: false,
  phone: null,
  country: null,
  customFields: {},
  isLead: false,
};

/** Changes that remove everything from a contact that its visitor has provided. */
export const CLEARED_CONTACT = Object.fromEntries<unknown>(
  Object.entries(CLEARED_COLUMNS).map(([column, value]) => [fieldNames[column as Column], value]),
) as ContactChanges;

export interface ChangeCause {
  /**
   * Bot of the conversation that caused the change, or else the contact's bot. Its webhooks receive the
   * event.
   */
  botId: string;
  /**
   * Id of a contact that was merged into this contact. If set, the event is emitted even without other
   * changes.
   */
  mergedId?: string | undefined;
}

/**
 * Stores changes to a contact, and emits `contact.updated` if anything has changed.
 * @param contact contact that the caller's transaction has locked
 * @throws AppError `conflict` for details of a visitor who has refused consent
 */
export async function changeContact(
  { contacts, outbox }: ContactChangeDeps,
  scope: OrgScope,
  contact: Opened<Contact>,
  changes: ContactChanges,
  { botId, mergedId }: ChangeCause,
): Promise<void> {
  const changedFields = await storeChanges(contacts, scope, contact, changes);
  if (changedFields.length === 0 && mergedId === undefined) return;
  await outbox.event(
    scope,
    'contact.updated',
    {
      contact_id: contact.id,
      bot_id: botId,
      changed: changedFields,
      values: Object.fromEntries(changedFields.map((field) => [field, changes[field]])),
      ...(mergedId !== undefined && { merged_contact_id: mergedId }),
    },
    botId,
  );
}

/**
 * Stores changes to a contact. All changes to a contact's fields go through this function. Replaces a
 * verified email address only if the changes say whether the new address is verified.
 * @returns names of the changed fields
 * @throws AppError `conflict` for details of a visitor who has refused consent
 */
export async function storeChanges(
  contacts: ContactRepository,
  scope: OrgScope,
  contact: Opened<Contact>,
  changes: ContactChanges,
): Promise<Field[]> {
  const changedFields = changeableFields.filter(
    ([column, field]) =>
      changes[field] !== undefined &&
      !isDeepStrictEqual(changes[field], contact[column]) &&
      !(field === 'email' && contact.isEmailVerified && changes.email_verified === undefined),
  );
  if (changedFields.some(([, field]) => addsInformation(field, changes[field], contact)))
    await requireConsent(contacts, scope, toVisitor(contact));
  const columns = changedFields.map(([column, field]) => [column, changes[field]]);
  await contacts.update(scope, contact.id, Object.fromEntries(columns) as Partial<Opened<Contact>>);
  return changedFields.map(([, field]) => field);
}

/**
 * Returns true if a change of a contact adds information about the visitor, and false if it only removes
 * information.
 */
function addsInformation(field: Field, value: unknown, { customFields }: Opened<Contact>): boolean {
  if (!needsConsent[field] || value === null) return false;
  if (field !== 'custom_fields') return true;
  return Object.entries(value ?? {}).some(([key, each]) => !isDeepStrictEqual(each, customFields[key]));
}

/**
 * @throws AppError `conflict` if the visitor has refused consent to store personal data, by the latest
 * statement of consent
 */
export async function requireConsent(
  contacts: ContactRepository,
  scope: OrgScope,
  visitor: VisitorOfBot,
): Promise<void> {
  if (await contacts.consents.hasRefused(scope, visitor))
    throw new AppError('conflict', 'The visitor has refused consent; contact details are not stored.');
}
