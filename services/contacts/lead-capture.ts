import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { notifyLeadWorkflowId } from '../../core/workflows/commands.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { FieldValue } from './field-values.ts';

export interface LeadAnnouncement {
  outbox: OutboxService;
  messages: MessageRepository;
}

export interface CapturedLead {
  contactId: string;
  /** Values that the visitor has entered in the lead form, by field name. */
  fields: Record<string, FieldValue>;
}

/**
 * Adds a note about the new lead to the conversation and emits `lead.captured`. Informs the team by email
 * once for each conversation.
 */
export async function announceLead(
  { outbox, messages }: LeadAnnouncement,
  scope: OrgScope,
  { id, botId }: Pick<Conversation, 'id' | 'botId'>,
  { contactId, fields }: CapturedLead,
): Promise<void> {
  const event = { conversation_id: id, bot_id: botId, contact_id: contactId, fields };
  await Promise.all([
    messages.insertSystemMessages(scope, [id], { kind: 'lead_captured', fields: Object.keys(fields) }),
    outbox.event(scope, 'lead.captured', event, botId),
    outbox.command(scope, {
      workflow: 'notifyLead',
      action: 'start',
      workflowId: notifyLeadWorkflowId(contactId, id),
      args: [{ orgId: scope.orgId, botId, contactId, conversationId: id }],
      summary: `Email the lead ${contactId} to the team`,
    }),
  ]);
}
