import { isVisible } from '../../core/text/visible-text.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { toShownForm } from '../../services/contacts/lead-form.ts';
import type {
  OpenedSession,
  TeamFacts,
  VisitorSession,
} from '../../services/conversations/widget-service.ts';
import { presentDirectory } from '../bots/directory.presenter.ts';
import type { WidgetConfig, WidgetSession } from './widget.schemas.ts';

/**
 * Facts that the widget shows with a bot's configuration but that are not stored in it: the opening of its flow,
 * booking, and the team.
 */
export type LiveWidgetFacts = Pick<WidgetConfig, 'opening' | 'booking' | 'team'>;

export function presentWidgetConfig(bot: Bot, facts: LiveWidgetFacts): WidgetConfig {
  return {
    public_key: bot.publicKey,
    name: bot.name,
    language: bot.language,
    welcome_message: bot.welcomeMessage,
    starter_questions: bot.starterQuestions,
    theme: bot.widgetTheme,
    lead_capture: toShownForm(bot),
    directory: publicDirectory(bot),
    handoff_enabled: bot.handoffEnabled,
    ...facts,
  };
}

export function presentTeam(team: TeamFacts | null): WidgetConfig['team'] {
  if (!team) return null;
  const { isOpen, opensAt, replyMinutes } = team;
  return { is_open: isOpen, opens_at: opensAt?.toISOString() ?? null, reply_minutes: replyMinutes };
}

/** Presents the state of the handoff to a person, for a visitor's message that the bot does not answer. */
export function presentHandoff(session: VisitorSession) {
  const { conversation, agentName } = session;
  return { status: conversation.status, agent_name: agentName, ...presentWait(session) };
}

/** Presents what visitors who ask for a person or wait for one need to know. */
function presentWait({
  bot,
  handoffAvailability,
  queuePosition,
}: Pick<VisitorSession, 'bot' | 'handoffAvailability' | 'queuePosition'>) {
  return {
    ...handoffNotice(bot, handoffAvailability),
    ...(queuePosition !== null && { queue_position: queuePosition }),
  };
}

/**
 * Presents the bot's message to visitors who ask for a person; empty if the bot's configuration defines none.
 */
function handoffNotice({ handoffConfig: config }: Bot, availability: VisitorSession['handoffAvailability']) {
  if (!config || !availability) return {};
  const { isOpen, opensAt } = availability;
  const message = (isOpen ? config.waiting_message : config.closed_message) ?? '';
  return {
    handoff_notice: {
      message: isVisible(message) ? message : null,
      is_open: isOpen,
      opens_at: opensAt?.toISOString() ?? null,
      accepts_requests: isOpen || config.accepts_when_closed !== false,
    },
  };
}

export function presentWidgetSession(session: OpenedSession): WidgetSession {
  const { conversation, bot, agentName, isLeadFormDue, hasEmail } = session;
  return {
    session_id: conversation.id,
    visitor_id: conversation.visitorId,
    status: conversation.status,
    handoff_enabled: bot.handoffEnabled,
    agent_name: agentName,
    lead_form_due: isLeadFormDue,
    consent: conversation.consent,
    consent_at: conversation.consentAt?.toISOString() ?? null,
    message_count: conversation.messageCount,
    rating: conversation.rating,
    ...presentAttendee(conversation, hasEmail),
    ...presentWait(session),
  };
}

/**
 * Returns the details of a booking's attendee that the visitor entered in this session. For other known
 * details, returns only that they exist.
 */
function presentAttendee({ leadDetails }: Opened<Conversation>, hasEmail: boolean) {
  const { name, email } = { name: null, email: null, ...leadDetails };
  return name === null && email === null && !hasEmail
    ? {}
    : { attendee: { name, email, has_email: hasEmail } };
}

/**
 * Presents the directory of a bot without links and metadata. The widget gets the link of an entry when the
 * visitor chooses it.
 */
function publicDirectory(bot: Bot): WidgetConfig['directory'] {
  const { enabled, category_label = '', choice_label = '', entries = [] } = presentDirectory(bot);
  if (!enabled) return null;
  return {
    category_label,
    choice_label,
    entries: entries.map(({ category = '', name }) => ({ category, name })),
  };
}
