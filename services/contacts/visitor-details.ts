import type { Opened } from '../../database/sealed-columns.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { maskDetails } from './details-in-text.ts';

/** Columns that a conversation keeps if its visitor refuses consent. */
type KeptColumn =
  | 'id'
  | 'orgId'
  | 'botId'
  | 'visitorId'
  | 'browserId'
  | 'contactId'
  | 'isVouchedFor'
  | 'status'
  | 'consent'
  | 'consentAt'
  | 'isInFlow'
  | 'isResolved'
  | 'messageCount'
  | 'hasVisitorMessage'
  | 'hadHandoff'
  | 'pageUrl'
  | 'referrer'
  | 'rating'
  | 'sentiment'
  | 'totalCostUsd'
  | 'totalInputTokens'
  | 'totalOutputTokens'
  | 'createdAt'
  | 'lastMessageAt'
  | 'lastMessageHour'
  | 'visitorSeenAt'
  | 'endedAt'
  | 'reopenedAt'
  | 'handoffRequestedAt'
  | 'handoffReason'
  | 'assignedToId'
  | 'assignedAt'
  | 'keyId';

/** Returns the values of the columns that identify a conversation's visitor, after a refusal of consent. */
export function clearVisitorDetails({
  title,
  summary,
}: Pick<Opened<Conversation>, 'title' | 'summary'>): Omit<Opened<Conversation>, KeptColumn> {
  return {
    title: title && maskDetails(title),
    summary: summary && maskDetails(summary),
    country: null,
    customFields: {},
    isLead: false,
    leadDetails: {},
  };
}
