import { defineSearchAttributeKey } from '@temporalio/common';

/** Search attributes by which operators find workflows in Temporal; ids and states only, no personal data. */
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
  /**
   * Use a list of one item, because Temporal limits the namespace to ten attributes of type Keyword
   * (scripts/launcher/temporal.ts).
   */
  generationState: defineSearchAttributeKey('GenerationState', 'KEYWORD_LIST'),
  bookingState: defineSearchAttributeKey('BookingState', 'KEYWORD_LIST'),
  alertState: defineSearchAttributeKey('AlertState', 'KEYWORD_LIST'),
  /**
   * Use the type Text, of which Temporal allows three attributes. The operator `=` matches the whole text.
   */
  calendarState: defineSearchAttributeKey('CalendarState', 'TEXT'),
  policyId: defineSearchAttributeKey('PolicyId', 'TEXT'),
  ingestState: defineSearchAttributeKey('IngestState', 'KEYWORD'),
} as const;
