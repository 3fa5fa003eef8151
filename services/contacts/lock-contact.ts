import { AppError } from '../../core/errors/errors.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import type { NamedVisitor } from '../../repositories/contacts/visitor.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** One that was merged or erased while it was waited for is made anew. */
const ROUNDS = 3;

/** The visitor's contact, which is made if there is none, locked until the transaction ends. */
export async function lockContact(
  contacts: ContactRepository,
  scope: OrgScope,
  visitor: NamedVisitor,
): Promise<{ contact: Contact; isNew: boolean }> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const isNew = await contacts.insertOfVisitor(scope, visitor);
    const contact = await contacts.lockOfVisitor(scope, visitor);
    if (contact) return { contact, isNew };
  }
  throw new AppError('conflict', 'The contact is being removed; try again.');
}
