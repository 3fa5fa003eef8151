import type { Bot } from '../../entities/bot.entity.ts';
import type { Conversation } from '../../entities/conversation.entity.ts';
import { leadFormOf, shownForm } from '../../services/contacts/lead-form.ts';
import type { VisitorSession } from '../../services/conversations/widget.service.ts';
import { presentDirectory } from '../directory/directory.presenter.ts';
import type { WidgetConfig, WidgetSession } from './widget.schemas.ts';

export function presentWidgetConfig(bot: Bot): WidgetConfig {
  return {
    public_key: bot.publicKey,
    name: bot.name,
    language: bot.language,
    welcome_message: bot.welcomeMessage,
    starter_questions: bot.starterQuestions,
    theme: bot.widgetTheme,
    lead_capture: shownForm(bot),
    directory: publicDirectory(bot),
    handoff_enabled: bot.handoffEnabled,
  };
}

/** What a visitor is told whose turn the bot does not answer. */
export function presentHandoff({ conversation, agentName }: VisitorSession) {
  return { status: conversation.status, agent_name: agentName };
}

export function presentWidgetSession({
  conversation,
  bot,
  agentName,
  isLead,
}: VisitorSession): WidgetSession {
  return {
    session_id: conversation.id,
    visitor_id: conversation.visitorId,
    status: conversation.status,
    handoff_enabled: bot.handoffEnabled,
    agent_name: agentName,
    lead_form_due: !isLead && isLeadFormDue(conversation, bot),
    consent: conversation.consent,
    consent_at: conversation.consentAt?.toISOString() ?? null,
    message_count: conversation.messageCount,
    rating: conversation.rating,
  };
}

/** Not asked of whom has said no to it. */
function isLeadFormDue({ consent, messageCount }: Conversation, bot: Bot): boolean {
  const form = leadFormOf(bot);
  if (!form || consent === 'denied' || consent === 'withdrawn') return false;
  if (form.trigger === 'before_chat') return true;
  return form.trigger === 'after_n_messages' && messageCount >= (form.trigger_value ?? 2);
}

/** Links and metadata stay inside: a link is had by resolving a choice. */
function publicDirectory(bot: Bot): WidgetConfig['directory'] {
  const { enabled, category_label = '', choice_label = '', entries = [] } = presentDirectory(bot);
  if (!enabled) return null;
  return {
    category_label,
    choice_label,
    entries: entries.map(({ category = '', name }) => ({ category, name })),
  };
}
