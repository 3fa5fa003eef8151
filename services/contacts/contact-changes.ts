import { isDeepStrictEqual } from 'node:util';
import type { Contact } from '../../entities/contact.entity.ts';
import type { ContactRepository } from '../../repositories/contact.repository.ts';
import type { OrgScope } from '../../repositories/org-scope.ts';
import type { OutboxService } from '../outbox.service.ts';

/** What of a contact can change, as the API names it, and the columns that it is stored in. */
const columnOf = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  custom_fields: 'customFields',
  tags: 'tags',
  is_lead: 'isLead',
} as const satisfies Record<string, keyof Contact>;

type Field = keyof typeof columnOf;

/** A present key is applied, null clears. */
export type ContactChanges = { [F in Field]?: Contact[(typeof columnOf)[F]] };

export interface ContactChangeDeps {
  contacts: ContactRepository;
  outbox: OutboxService;
}

/** Stores what is different and announces it. @param contact locked by the scope's transaction */
export async function changeContact(
  { contacts, outbox }: ContactChangeDeps,
  scope: OrgScope,
  contact: Contact,
  changes: ContactChanges,
): Promise<void> {
  const changed = await storeChanges(contacts, scope, contact, changes);
  if (changed.length === 0) return;
  const { id, botId } = contact;
  await outbox.event(scope, 'contact.updated', { contact_id: id, bot_id: botId, changed }, botId);
}

/** Answers with the names of the fields that are different now. */
export async function storeChanges(
  contacts: ContactRepository,
  scope: OrgScope,
  contact: Contact,
  changes: ContactChanges,
): Promise<string[]> {
  const fields = Object.keys(columnOf) as Field[];
  const changed = fields.filter(
    (field) => changes[field] !== undefined && !isDeepStrictEqual(changes[field], contact[columnOf[field]]),
  );
  const columns = changed.map((field) => [columnOf[field], changes[field]]);
  await contacts.update(scope, contact.id, Object.fromEntries(columns) as Partial<Contact>);
  return changed;
}
