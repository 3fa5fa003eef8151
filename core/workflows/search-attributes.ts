import { defineSearchAttributeKey } from '@temporalio/common';

/** Search attributes for operators; ids and states only, no personal data. */
export const searchAttributes = {
  orgId: defineSearchAttributeKey('OrgId', 'KEYWORD'),
  botId: defineSearchAttributeKey('BotId', 'KEYWORD'),
  documentId: defineSearchAttributeKey('DocumentId', 'KEYWORD'),
  conversationId: defineSearchAttributeKey('ConversationId', 'KEYWORD'),
  endpointId: defineSearchAttributeKey('EndpointId', 'KEYWORD'),
  eventName: defineSearchAttributeKey('EventName', 'KEYWORD'),
  invitationState: defineSearchAttributeKey('InvitationState', 'KEYWORD'),
  deliveryState: defineSearchAttributeKey('DeliveryState', 'KEYWORD'),
  mailState: defineSearchAttributeKey('MailState', 'KEYWORD'),
  /** A list of one: there is no room for another keyword (scripts/launcher/temporal.ts). */
  generationState: defineSearchAttributeKey('GenerationState', 'KEYWORD_LIST'),
  bookingState: defineSearchAttributeKey('BookingState', 'KEYWORD_LIST'),
  alertState: defineSearchAttributeKey('AlertState', 'KEYWORD_LIST'),
  /** Texts, of which there is room for three: `=` finds the whole of them. */
  calendarState: defineSearchAttributeKey('CalendarState', 'TEXT'),
  policyId: defineSearchAttributeKey('PolicyId', 'TEXT'),
  ingestState: defineSearchAttributeKey('IngestState', 'KEYWORD'),
} as const;
