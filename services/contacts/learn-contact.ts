import { isDeepStrictEqual } from 'node:util';
import { learnedDetails } from '../../core/contacts/contact-details.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import {
  hasRefused,
  mayUpdateContact,
  type Conversation,
  type LeadDetails,
} from '../../entities/conversations/conversation.entity.ts';
import type { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import type { VisitorOfBot } from '../../repositories/contacts/visitor.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import {
  changeContact,
  toCustomFieldName,
  storeChanges,
  type ContactChangeDeps,
  type ContactChanges,
} from './contact-changes.ts';
import { mergeFittingFields } from './custom-field-limit.ts';
import type { FieldValue } from './field-values.ts';
import { announceLead } from './lead-capture.ts';
import { lockContact } from './lock-contact.ts';

/** Details about a visitor that a conversation contains. */
export interface LearnedContact {
  details: { [D in (typeof learnedDetails)[number]]?: string };
  customFields: Record<string, FieldValue>;
}

export interface LearnContactDeps extends ContactChangeDeps {
  conversations: ScopedRepository<Conversation>;
  messages: MessageRepository;
}

/**
 * Adds details to the visitor's contact, unless the visitor has refused consent:
 * - Fills empty fields, and replaces values that came from this conversation.
 * - Keeps values from a form, the team or a signed identity. Does not restore what the team has removed.
 * - The first address or number of a conversation makes the contact a lead.
 * - Details that do not go to the contact become custom fields of the conversation, for the team to read. If
 *   the session may not change the contact, this applies to all its details.
 * @param conversation conversation that the caller's transaction has locked, before its custom fields changed
 */
export async function learnContact(
  deps: LearnContactDeps,
  scope: OrgScope,
  conversation: Opened<Conversation>,
  learned: LearnedContact,
): Promise<void> {
  if (hasNoDetails(learned) || (await hasRefusedConsent(deps.contacts, scope, conversation))) return;
  await learnWithoutConsentCheck(deps, scope, conversation, learned);
}

/**
 * Adds details to the visitor's contact without checking for a refusal of consent.
 * @returns the contact before the change, locked; null if nothing was added
 */
export async function learnWithoutConsentCheck(
  deps: LearnContactDeps,
  scope: OrgScope,
  conversation: Opened<Conversation>,
  learned: LearnedContact,
): Promise<Opened<Contact> | null> {
  if (hasNoDetails(learned)) return null;
  const { details, customFields } = learned;
  if (!mayUpdateContact(conversation)) {
    await storeInConversation(deps, scope, conversation, { email: null, phone: null }, details, false);
    return null;
  }
  const { contact, isNew } = await lockContact(deps.contacts, scope, conversation);
  const newDetails = dropRemovedDetails(contact, details);
  const accepted = await pickAcceptedDetails(deps, scope, conversation, contact, newDetails);
  const isCaptured =
    !conversation.isLead && (newDetails.email !== undefined || newDetails.phone !== undefined);
  const changes: ContactChanges = {
    ...accepted,
    custom_fields: mergeFittingFields(
      contact.customFields,
      pickAcceptedFields(contact, conversation, customFields),
    ).fields,
    ...(isCaptured && { is_lead: true }),
  };
  await Promise.all([
    storeInConversation(deps, scope, conversation, { ...contact, ...accepted }, newDetails, isCaptured),
    isNew && isCaptured
      ? storeChanges(deps.contacts, scope, contact, changes)
      : changeContact(deps, scope, contact, changes, conversation),
  ]);
  if (isCaptured) {
    const fields = { ...newDetails, ...customFields };
    await announceLead(deps, scope, conversation, { contactId: contact.id, fields });
  }
  return contact;
}

function hasNoDetails({ details, customFields }: LearnedContact): boolean {
  return Object.keys(details).length + Object.keys(customFields).length === 0;
}

/**
 * Adds the values of a lead form to the conversation. Stores the values as lead details, which a refusal of
 * consent removes.
 */
export function mergeLeadDetails(
  { leadDetails: before, customFields }: Opened<Conversation>,
  submitted: LeadDetails,
  fields: Record<string, FieldValue>,
): Pick<Opened<Conversation>, 'leadDetails' | 'customFields'> {
  return {
    leadDetails: {
      ...before,
      ...submitted,
      custom_fields: { ...before.custom_fields, ...submitted.custom_fields },
      fields: { ...before.fields, ...fields },
    },
    customFields: { ...customFields, ...fields },
  };
}

/**
 * Returns true if the visitor's latest statement of consent is a refusal, in this conversation or another
 * conversation.
 */
export async function hasRefusedConsent(
  contacts: ContactRepository,
  scope: OrgScope,
  conversation: VisitorOfBot & Pick<Conversation, 'consent'>,
): Promise<boolean> {
  return hasRefused(conversation.consent) || contacts.consents.hasRefused(scope, conversation);
}

/**
 * Returns the changes that remove the details which one conversation added to the contact: values from its
 * messages, form and enrichment. Values from other conversations or the team stay.
 * @param conversation conversation before the removal, locked by the caller's transaction
 */
export async function removeLearnedDetails(
  { contacts, messages }: Pick<LearnContactDeps, 'contacts' | 'messages'>,
  scope: OrgScope,
  conversation: Opened<Conversation>,
  contact: Opened<Contact>,
): Promise<ContactChanges> {
  const conversationScope = { ...scope, conversationId: conversation.id };
  const { leadDetails, customFields } = conversation;
  const changes: ContactChanges = {
    custom_fields: Object.fromEntries(
      Object.entries(contact.customFields).filter(
        ([key, value]) =>
          ![customFields[key], leadDetails.custom_fields?.[key]].some((each) =>
            isDeepStrictEqual(value, each),
          ),
      ),
    ),
    ...(contact.country === leadDetails.country && { country: null }),
    ...(!(await contacts.conversations.hasLead(scope, conversation)) &&
      conversation.isLead && { is_lead: false }),
  };
  for (const detail of learnedDetails) {
    const currentValue = contact[detail];
    if (currentValue === null) continue;
    if (
      currentValue === leadDetails[detail] ||
      (await messages.hasVisitorWritten(conversationScope, currentValue))
    )
      changes[detail] = null;
  }
  return changes;
}

function dropRemovedDetails(
  { removedFields }: Pick<Contact, 'removedFields'>,
  details: LearnedContact['details'],
) {
  const remaining = Object.entries(details).filter(([detail]) => !removedFields.includes(detail));
  return Object.fromEntries(remaining) as LearnedContact['details'];
}

async function pickAcceptedDetails(
  { messages }: Pick<LearnContactDeps, 'messages'>,
  scope: OrgScope,
  conversation: Opened<Conversation>,
  contact: Opened<Contact>,
  newDetails: LearnedContact['details'],
): Promise<LearnedContact['details']> {
  const accepted: LearnedContact['details'] = {};
  const conversationScope = { ...scope, conversationId: conversation.id };
  for (const detail of learnedDetails) {
    const [newValue, currentValue] = [newDetails[detail], contact[detail]];
    if (newValue === undefined || (detail === 'email' && contact.isEmailVerified)) continue;
    if (currentValue === null) accepted[detail] = newValue;
    else if (
      !isSameDetail(currentValue, newValue) &&
      (await messages.hasVisitorWritten(conversationScope, currentValue))
    )
      accepted[detail] = newValue;
  }
  return accepted;
}

/**
 * Stores in the conversation the visitor's details that the contact does not contain.
 * @param known the contact's details after the change
 */
async function storeInConversation(
  { conversations }: Pick<LearnContactDeps, 'conversations'>,
  scope: OrgScope,
  { id, leadDetails }: Opened<Conversation>,
  known: Pick<Opened<Contact>, 'email' | 'phone'>,
  newDetails: LearnedContact['details'],
  isLead: boolean,
): Promise<void> {
  const otherDetails = (['email', 'phone'] as const).flatMap((detail) => {
    const [newValue, contactValue] = [newDetails[detail], known[detail]];
    return newValue === undefined || (contactValue !== null && isSameDetail(contactValue, newValue))
      ? []
      : [[detail, newValue] as const];
  });
  if (otherDetails.length === 0 && !isLead) return;
  const { customFields } = await conversations.open(scope, await conversations.get(scope, id));
  await conversations.update(scope, id, {
    ...(isLead && { isLead }),
    customFields: { ...customFields, ...Object.fromEntries(otherDetails), ...leadDetails.fields },
  });
}

/** Compares two contact details. Ignores case, and separators in phone numbers. */
function isSameDetail(a: string, b: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[ ()/-]/g, '');
  return plain(a) === plain(b);
}

function pickAcceptedFields(
  contact: Opened<Contact>,
  conversation: Opened<Conversation>,
  fields: Record<string, FieldValue>,
) {
  const formFields = conversation.leadDetails.custom_fields ?? {};
  return Object.fromEntries(
    Object.entries(fields).filter(([key]) => {
      if (contact.removedFields.includes(toCustomFieldName(key))) return false;
      const currentValue = contact.customFields[key];
      if (currentValue === undefined) return true;
      return (
        !Object.hasOwn(formFields, key) && isDeepStrictEqual(currentValue, conversation.customFields[key])
      );
    }),
  );
}
