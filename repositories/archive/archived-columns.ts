import { listIncludedNames } from '../../core/included-names.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';

/**
 * Columns of a message by name; true if an archive contains the column. Imports set `orgId` and `keyId`
 * themselves.
 */
const isArchivedInMessage = {
  id: true,
  conversationId: true,
  replyToId: true,
  role: true,
  content: true,
  authorId: true,
  authorName: true,
  event: true,
  optionId: true,
  input: true,
  citations: true,
  model: true,
  inputTokens: true,
  outputTokens: true,
  costUsd: true,
  latencyMs: true,
  ttftMs: true,
  mailedAt: true,
  stoppedAt: true,
  isError: true,
  isUnanswered: true,
  errorCode: true,
  createdAt: true,
  orgId: false,
  state: false,
  clientId: false,
  leaseExpiresAt: false,
  keyId: false,
} as const satisfies Record<keyof Message, boolean>;
export const ARCHIVED_MESSAGE_COLUMNS = listIncludedNames(isArchivedInMessage);

/** Columns of a conversation by name; true if an import sets the column from the archive. */
const isImportedInConversation = {
  id: true,
  botId: true,
  visitorId: true,
  browserId: true,
  contactId: true,
  isVouchedFor: true,
  country: true,
  status: true,
  consent: true,
  consentAt: true,
  customFields: true,
  isLead: true,
  leadDetails: true,
  isResolved: true,
  messageCount: true,
  hasVisitorMessage: true,
  hadHandoff: true,
  pageUrl: true,
  referrer: true,
  rating: true,
  sentiment: true,
  summary: true,
  title: true,
  totalCostUsd: true,
  totalInputTokens: true,
  totalOutputTokens: true,
  createdAt: true,
  lastMessageAt: true,
  visitorSeenAt: true,
  endedAt: true,
  reopenedAt: true,
  orgId: false,
  isInFlow: false,
  lastMessageHour: false,
  handoffRequestedAt: false,
  handoffReason: false,
  assignedToId: false,
  assignedAt: false,
  keyId: false,
} as const satisfies Record<keyof Conversation, boolean>;
export const IMPORTED_CONVERSATION_COLUMNS = listIncludedNames(isImportedInConversation);

/** Columns of a contact by name; true if an import sets the column from the archive. */
const isImportedInContact = {
  id: true,
  botId: true,
  visitorId: true,
  browserId: true,
  identity: true,
  name: true,
  email: true,
  isEmailVerified: true,
  phone: true,
  country: true,
  customFields: true,
  tags: true,
  removedFields: true,
  isLead: true,
  firstSeenAt: true,
  createdAt: true,
  formerIds: true,
  orgId: false,
  deletedAt: false,
  keyId: false,
} as const satisfies Record<keyof Contact, boolean>;
export const IMPORTED_CONTACT_COLUMNS = listIncludedNames(isImportedInContact);
