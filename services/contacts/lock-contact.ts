import { AppError } from '../../core/errors/errors.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import type { NamedVisitor } from '../../repositories/contacts/visitor.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';

/**
 * Maximum number of attempts to lock a contact. An attempt fails if the contact is created, merged or erased
 * concurrently.
 */
const MAX_ROUNDS = 3;

/** Finds or creates the visitor's contact, and locks it until the transaction ends. */
export async function lockContact(
  contacts: ContactRepository,
  scope: OrgScope,
  visitor: NamedVisitor,
): Promise<{ contact: Opened<Contact>; isNew: boolean }> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const existing = await contacts.lockByVisitor(scope, visitor);
    if (existing) return { contact: existing, isNew: false };
    const contact = await contacts.insertForVisitor(scope, visitor);
    if (contact) return { contact, isNew: true };
  }
  throw new AppError('conflict', 'The contact is being deleted; try again.');
}
