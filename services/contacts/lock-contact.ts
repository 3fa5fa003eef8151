import { AppError } from '../../core/errors.ts';
import type { Contact } from '../../entities/contact.entity.ts';
import type { ContactRepository, VisitorOfBot } from '../../repositories/contact.repository.ts';
import type { OrgScope } from '../../repositories/org-scope.ts';

/** The visitor's contact, which is made if there is none, locked until the transaction ends. */
export async function lockContact(
  contacts: ContactRepository,
  scope: OrgScope,
  visitor: VisitorOfBot,
): Promise<{ contact: Contact; isNew: boolean }> {
  const isNew = await contacts.create(scope, visitor);
  const contact = await contacts.lockOfVisitor(scope, visitor);
  if (!contact) throw new AppError('conflict', 'The contact is being removed; try again.');
  return { contact, isNew };
}
