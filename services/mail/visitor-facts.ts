import { toPlainText } from '../../browser/plain-markdown.ts';
import { abridge, cutText } from '../../core/text/cut-text.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { MailData } from './rendering/mail-templates.ts';
import { composeSubject } from './rendering/render-mail.ts';

/** Maximum number of the conversation's messages in an email about a handoff. */
export const MAX_SHOWN_MESSAGES = 5;
/** Maximum number of custom fields in an email about a lead. */
const MAX_FIELDS = 10;
/**
 * Maximum length of a conversation's message in an email, in UTF-16 code units: five messages can be read at
 * a glance.
 */
const MAX_MESSAGE_LENGTH = 500;
/**
 * Maximum number of UTF-16 code units of a message that are parsed before the message is shortened. Markup and
 * URLs take up characters, and a model's answer may be long.
 */
const MAX_PARSED_LENGTH = 8 * MAX_MESSAGE_LENGTH;
const NOT_GIVEN = 'not given';

interface VisitorFacts {
  orgName: string;
  botName: string;
  contact: Opened<Contact> | null;
  conversation: Opened<Conversation> | null;
  /** Last messages of the visitor's conversation, oldest first. */
  messages: Opened<Message>[];
  link: string;
}

/** Composes the values of the email that informs the team that a visitor has asked for a person. */
export function describeHandoff(facts: VisitorFacts): MailData['handoff_requested'] {
  const { orgName, botName, contact, conversation, messages, link } = facts;
  const visitor = nameVisitor(contact) ?? 'A visitor';
  const request = conversation?.handoffReason || findQuestion(messages);
  const lines = messages.map(
    (message) => `${nameAuthor(message, visitor, botName)}: ${shorten(message.content)}`,
  );
  if (conversation?.handoffReason) lines.push(`${visitor}: ${shorten(conversation.handoffReason)}`);
  return {
    orgName,
    botName,
    subject: request
      ? composeSubject((words) => `${abridge(visitor, 40)} needs help: "${words}"`, shorten(request))
      : composeSubject((name) => `${name} asks for a person: ${abridge(botName, 40)}`, visitor),
    visitor,
    messages: lines,
    page: conversation?.pageUrl ?? 'unknown',
    link,
  };
}

/** Composes the values of the email to the team about a new lead. */
export function describeLead(facts: VisitorFacts & { contact: Opened<Contact> }): MailData['lead_captured'] {
  const { orgName, botName, contact, conversation, messages, link } = facts;
  const question = findQuestion(messages);
  return {
    orgName,
    botName,
    contact: nameVisitor(contact) ?? 'a visitor without a name',
    contactName: contact.name || NOT_GIVEN,
    email: contact.email ?? NOT_GIVEN,
    phone: contact.phone ?? NOT_GIVEN,
    page: conversation?.pageUrl ?? 'unknown',
    question: question === undefined ? 'none yet' : shorten(question),
    fields: Object.entries(contact.customFields)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .slice(0, MAX_FIELDS)
      .map(([key, value]) => `${key}: ${shorten(String(value))}`),
    link,
  };
}

function nameVisitor(contact: Opened<Contact> | null): string | null {
  return contact && (contact.name || (contact.email ?? contact.phone));
}

function findQuestion(messages: readonly Opened<Message>[]): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.content;
}

function nameAuthor(
  { role, authorName }: Pick<Message, 'role' | 'authorName'>,
  visitor: string,
  botName: string,
): string {
  if (role === 'user') return visitor;
  return role === 'agent' ? (authorName ?? 'Team') : botName;
}

function shorten(text: string): string {
  const prefix = cutText(text, MAX_PARSED_LENGTH);
  const isCut = prefix.length < text.length;
  const words = toPlainText(prefix, isCut);
  return abridge(isCut ? `${words}…` : words, MAX_MESSAGE_LENGTH);
}
