import { isDeepStrictEqual } from 'node:util';
import type { Contact } from '../../entities/contact.entity.ts';
import { hasRefused, type Conversation } from '../../entities/conversation.entity.ts';
import type { ContactRepository } from '../../repositories/contact.repository.ts';
import type { MessageRepository } from '../../repositories/message.repository.ts';
import type { OrgScope } from '../../repositories/org-scope.ts';
import {
  changeContact,
  customField,
  type ContactChangeDeps,
  type ContactChanges,
} from './contact-changes.ts';
import type { FieldValue } from './field-values.ts';
import { lockContact } from './lock-contact.ts';

/** What a conversation has told of its visitor. */
export interface LearnedContact {
  details: { name?: string; email?: string; phone?: string };
  customFields: Record<string, FieldValue>;
}

export interface LearnContactDeps extends ContactChangeDeps {
  messages: MessageRepository;
}

/**
 * Adds it to what is known of the visitor, unless that was refused. It fills what is empty, and replaces what this
 * conversation had told before; what a form, the team or a signed identity has given stays, and what the team has removed
 * stays away.
 * @param conversation locked by the scope's transaction, as it was before its own custom fields changed
 */
export async function learnContact(
  deps: LearnContactDeps,
  scope: OrgScope,
  conversation: Conversation,
  { details, customFields }: LearnedContact,
): Promise<void> {
  const isEmpty = Object.keys(details).length + Object.keys(customFields).length === 0;
  if (isEmpty || (await tellsNothing(deps.contacts, scope, conversation))) return;
  const { contact } = await lockContact(deps.contacts, scope, conversation);
  const changes: ContactChanges = {
    custom_fields: { ...contact.customFields, ...acceptedFields(contact, conversation, customFields) },
  };
  for (const detail of ['name', 'email', 'phone'] as const) {
    const [found, known] = [details[detail], contact[detail]];
    if (found === undefined || contact.removedFields.includes(detail)) continue;
    const said = { ...scope, conversationId: conversation.id };
    if (known === null) changes[detail] = found;
    else if (!isSame(known, found) && (await deps.messages.hasSaid(said, known))) changes[detail] = found;
  }
  await changeContact(deps, scope, contact, changes);
}

/** Whether the last word of the visitor was a refusal, be it in this conversation or altogether. */
export async function tellsNothing(
  contacts: ContactRepository,
  scope: OrgScope,
  conversation: Conversation,
): Promise<boolean> {
  return hasRefused(conversation.consent) || contacts.hasRefusedConsent(scope, conversation);
}

/**
 * What remains of the contact when what its visitor has said in the conversation or filled into its form, or what was
 * found out there, is taken back. Other values stay, be they of other conversations or of the team.
 * @param conversation locked by the scope's transaction, as it was before all this was taken from it
 */
export async function withoutWhatWasLeft(
  { contacts, messages }: Pick<LearnContactDeps, 'contacts' | 'messages'>,
  scope: OrgScope,
  conversation: Conversation,
  contact: Contact,
): Promise<ContactChanges> {
  const said = { ...scope, conversationId: conversation.id };
  const { leadDetails: left, customFields: found } = conversation;
  const changes: ContactChanges = {
    custom_fields: Object.fromEntries(
      Object.entries(contact.customFields).filter(
        ([key, value]) =>
          ![found[key], left.custom_fields?.[key]].some((each) => isDeepStrictEqual(value, each)),
      ),
    ),
    ...(contact.country === left.country && { country: null }),
    ...(!(await contacts.isLeadAnywhere(scope, conversation)) && conversation.isLead && { is_lead: false }),
  };
  for (const detail of ['name', 'email', 'phone'] as const) {
    const known = contact[detail];
    if (known === null) continue;
    if (known === left[detail] || (await messages.hasSaid(said, known))) changes[detail] = null;
  }
  return changes;
}

/** Whether they differ in capital letters, or in the marks of a number, at most. */
function isSame(a: string, b: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[ ()/-]/g, '');
  return plain(a) === plain(b);
}

function acceptedFields(contact: Contact, conversation: Conversation, found: Record<string, FieldValue>) {
  return Object.fromEntries(
    Object.entries(found).filter(([key]) => {
      if (contact.removedFields.includes(customField(key))) return false;
      const known = contact.customFields[key];
      return known === undefined || isDeepStrictEqual(known, conversation.customFields[key]);
    }),
  );
}
