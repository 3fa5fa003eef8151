import type { Opened } from '../../database/sealed-columns.ts';
import type { Message, SystemEvent } from '../../entities/conversations/message.entity.ts';
import { nameForVisitors } from '../../core/conversations/name-for-visitors.ts';

type Kind = SystemEvent['kind'];
type EventByKind<K extends Kind> = Extract<SystemEvent, { kind: K }>;

interface EventTexts<K extends Kind> {
  /** Text for members. @param words the visitor's reason; empty if the visitor gave none */
  team(event: EventByKind<K>, agentName: string, words: string): string;
  /** Text of a system message for visitors; missing for events that visitors do not see. */
  visitor?(who: string): string;
}

const TEAM_MEMBER = 'A team member';

const consents = {
  unknown: 'The visitor has not said whether contact details may be stored.',
  granted: 'The visitor allowed contact details to be stored.',
  denied: 'The visitor does not allow contact details to be stored.',
  withdrawn: 'The visitor no longer allows contact details to be stored.',
};

const sentences: { [K in Kind]: EventTexts<K> } = {
  handoff_requested: {
    team: ({ requested_by: by }, _who, words) =>
      `${by === 'visitor' ? 'The visitor' : 'A flow'} asked for a person${words === '' ? '.' : `: ${words}`}`,
    visitor: () => "We've notified the team.",
  },
  agent_joined: {
    team: (_event, who) => `${who} is now handling the conversation.`,
    visitor: (who) => `${who} joined the chat`,
  },
  handoff_returned: {
    team: (_event, who) => `${who} left; the visitor waits for another agent.`,
    visitor: () => 'Connecting you to someone else…',
  },
  handoff_released: {
    team: (_event, who) => `${who} handed the conversation back to the bot.`,
    visitor: () => "You're back with the assistant",
  },
  resolved: {
    team: (_event, who) => `${who} marked the conversation as resolved.`,
    visitor: () => 'The team marked this as resolved. You can keep chatting with the assistant.',
  },
  reopened: {
    team: (_event, who) => `${who} reopened the conversation.`,
    visitor: () => 'Conversation reopened',
  },
  ended: {
    team: ({ ended_by: by }) =>
      by === 'visitor'
        ? 'The visitor ended the conversation.'
        : 'The conversation ended after a period of inactivity.',
  },
  lead_captured: { team: ({ fields }) => `The visitor left contact details: ${fields.join(', ')}.` },
  consent_changed: { team: ({ consent }) => consents[consent] },
};

/** Kinds of system messages that visitors see. */
export const visibleKinds = (Object.keys(sentences) as Kind[]).filter((kind) => sentences[kind].visitor);

type DescribedMessage = Pick<Opened<Message>, 'content' | 'event' | 'authorName'>;

/** Formats a system message of a conversation for members of the team. */
export function formatForTeam({ content, event, authorName }: DescribedMessage): string {
  return event ? getSentences(event).team(event, authorName ?? TEAM_MEMBER, content) : content;
}

/**
 * Formats a system message of a conversation for visitors. Returns an empty text if visitors do not see it.
 */
export function formatForVisitor({ content, event, authorName }: DescribedMessage): string {
  const displayName = nameForVisitors(authorName) ?? TEAM_MEMBER;
  return event ? (getSentences(event).visitor?.(displayName) ?? '') : content;
}

/** Returns true if visitors see the author's name with the system message. */
export function showsAuthor({ event }: Pick<Message, 'event'>): boolean {
  return event === null || event.kind === 'agent_joined';
}

function getSentences(event: SystemEvent): EventTexts<Kind> {
  return sentences[event.kind] as EventTexts<Kind>;
}
