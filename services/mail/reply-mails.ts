import { toMailLines } from '../../browser/plain-markdown.ts';
import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import { isEmailAddress } from '../../core/contacts/email-address.ts';
import { nameForVisitors } from '../../core/conversations/name-for-visitors.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { Database } from '../../database/database.ts';
import type { MailRow } from '../../entities/mail/mail.entity.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import type { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import type { MailRepository } from '../../repositories/mail/mail.repository.ts';
import type { MailedReplyRepository } from '../../repositories/conversations/mailed-reply.repository.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { lockName } from '../../database/advisory-lock.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { mailVisitorWorkflowId, type MailVisitorInput } from '../../core/workflows/commands.ts';
import { isAllowedOn } from '../conversations/allowed-domains.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { MailService } from './mail-service.ts';
import type { RecipientLimits } from './senders/recipient-limits.ts';
import type { Sender, SenderChecks } from './senders/sender-checks.ts';
import { senderWords } from './senders/sender-words.ts';
import { composeSubject } from './rendering/render-mail.ts';
import { findVisitorLanguage } from './visitor-language.ts';
import { visitorWords } from './visitor-words.ts';

export interface ReplyMailsDeps {
  bots: BotRepository;
  conversations: ConversationRepository;
  contacts: ContactRepository;
  messages: MessageRepository;
  mailedReplies: MailedReplyRepository;
  mails: MailRepository;
  mail: MailService;
  outbox: OutboxService;
  recipients: Pick<RecipientLimits, 'trySpend'>;
  senders: SenderChecks;
  settings: Pick<Settings, 'replyMailAfterSeconds' | 'replyMailsPerConversation'>;
}

/** Maximum number of the team's replies in one email to a visitor; further replies go into the next email. */
const MAX_REPLIES = 20;
/**
 * Maximum number of UTF-16 code units of all replies in one email. Checking a thousand of them for false
 * claims takes one or two milliseconds.
 */
const MAX_REPLY_UNITS = 16_000;
/**
 * Maximum number of emails to a workspace's visitors in 24 hours. Visitors type in their email addresses themselves,
 * and emails to wrong addresses would harm the sender's reputation.
 */
const MAILS_PER_DAY = 500;

/** Sends the team's replies by email to visitors who have left the page and whose email address is known. */
export class ReplyMails {
  readonly #deps: ReplyMailsDeps;

  constructor(deps: ReplyMailsDeps) {
    this.#deps = deps;
  }

  /** Starts the workflow that sends a new reply by email unless the visitor returns to read it. */
  async scheduleMail(tx: OrgScope, conversation: Conversation, messageId: string): Promise<void> {
    const { outbox, settings } = this.#deps;
    if (settings.replyMailsPerConversation === 0 || (await this.#findAddress(tx, conversation)) === null)
      return;
    const { id: conversationId, botId } = conversation;
    const waitSeconds = settings.replyMailAfterSeconds;
    await outbox.command(tx, {
      workflow: 'mailVisitor',
      action: 'start',
      workflowId: mailVisitorWorkflowId(messageId),
      args: [{ orgId: tx.orgId, botId, conversationId, waitSeconds }],
      summary: 'Email a reply to a visitor who does not return',
    });
  }

  /**
   * Sends all replies that the visitor has not seen and that were not emailed yet, in one email. Returns
   * their number; 0 if the bot was deleted. Locks the conversation, so that concurrent calls send each reply
   * once.
   */
  mailUnseen(db: Database, { orgId, conversationId }: MailVisitorInput): Promise<number> {
    return inTransaction({ orgId, db }, async (tx) => {
      const { conversations, mailedReplies, recipients } = this.#deps;
      const conversation = await conversations.findLocked(tx, conversationId);
      if (conversation === null) return 0;
      const chat = { ...tx, conversationId };
      const replies = limitToOneMail(
        await mailedReplies.listUnseen(chat, conversation.visitorSeenAt, MAX_REPLIES),
      );
      const to = await this.#findAddress(tx, conversation);
      const bot = await this.#deps.bots.find(tx, conversation.botId);
      if (replies.length === 0 || to === null || bot === null || !(await this.#isWithinLimits(chat)))
        return 0;
      const [accountId] = replies.flatMap(({ authorId }) => authorId ?? []);
      const by = accountId === undefined ? null : { accountId };
      if ((await recipients.trySpend(tx, { to, by, count: 1 })) > 0) return 0;
      await this.#queueReplyMail(tx, { bot, conversation, replies, to });
      await mailedReplies.markMailed(chat, replies);
      return replies.length;
    });
  }

  /** Returns the reason why a queued email to a visitor must no longer be sent; null if it may be sent. */
  async findWithdrawalReason(
    db: Database,
    { template, orgId, key }: MailRow,
    to: string,
  ): Promise<string | null> {
    if (!template.startsWith('team_reply') || orgId === null) return null;
    const scope = { orgId, db };
    const [, conversationId = ''] = key?.split('/') ?? [];
    const conversation = await this.#deps.conversations.find(scope, conversationId);
    if (conversation === null) return 'The conversation no longer exists.';
    return (await this.#findAddress(scope, conversation)) === to
      ? null
      : 'The visitor has withdrawn the address.';
  }

  /** Returns the visitor's email address; null if the address is unknown or may not be used. */
  async #findAddress(scope: OrgScope, conversation: Conversation): Promise<string | null> {
    const { contacts } = this.#deps;
    const [contact] = await contacts.openByVisitors(scope, [conversation]);
    // Checks the format of the email address, because an imported archive may contain an invalid address.
    if (!contact?.email || !isEmailAddress(contact.email)) return null;
    if (await contacts.consents.hasRefused(scope, conversation)) return null;
    return contact.email;
  }

  /**
   * Returns whether another email may be sent to the visitor. Emails are limited, because visitors may type
   * in the email address of another person.
   */
  async #isWithinLimits(scope: OrgScope & { conversationId: string }): Promise<boolean> {
    const { mailedReplies, mails, settings } = this.#deps;
    if ((await mailedReplies.countMails(scope)) >= settings.replyMailsPerConversation) return false;
    // The lock makes concurrent callers wait until this transaction has counted its email.
    await lockName(scope.db, `reply mails ${scope.orgId}`);
    return (await mails.countLastDay(scope, ['team_reply', 'team_reply_without_page'])) < MAILS_PER_DAY;
  }

  async #queueReplyMail(
    tx: OrgScope,
    {
      bot,
      conversation,
      replies,
      to,
    }: { bot: Bot; conversation: Conversation; replies: Opened<Message>[]; to: string },
  ): Promise<void> {
    const { id: conversationId } = conversation;
    const language = (await findVisitorLanguage(this.#deps.messages, tx, { bot, conversationId })) ?? 'en';
    const words = visitorWords[language];
    const sender = await this.#deps.senders.createSender(tx, 'team_reply');
    const startPage = findPage(conversation, bot);
    // Checks the host name as well, because the email shows it as the text of the link.
    const page = startPage !== null && passesChecks(sender, [startPage.hostname]) ? startPage : null;
    const botName = sender.name(bot.name, senderWords[language].unnamed);
    const notice = sender.notice(language);
    const goOn = page && words.goOn(page.hostname);
    const replyLines = await composeReplyLines(replies, sender, senderWords[language].withheld);
    const data = {
      language,
      botName,
      subject: composeSubject(words.subject, botName),
      greeting: words.greeting,
      intro: words.intro(botName),
      // An unchecked sender could lure readers to any page, so the email names the page without a link.
      replies: goOn && !sender.maySendLinks ? [...replyLines, sender.withoutLinks(goOn)] : replyLines,
      note: [notice, words.note].filter(Boolean).join(' '),
      why: words.why(botName),
    };
    const envelope = { to, orgId: tx.orgId, key: `mail-visitor/${conversation.id}/${replies[0]!.id}` };
    await this.#deps.mail.send(
      tx.db,
      goOn && sender.maySendLinks
        ? { ...envelope, template: 'team_reply', data: { ...data, link: page.href, goOn } }
        : { ...envelope, template: 'team_reply_without_page', data },
    );
  }
}

/** Returns the first of the team's replies that fit into one email, but at least one. */
function limitToOneMail(replies: Opened<Message>[]): Opened<Message>[] {
  let remainingUnits = MAX_REPLY_UNITS;
  const beyond = replies.findIndex(({ content }) => (remainingUnits -= content.length) < 0);
  return beyond === -1 ? replies : replies.slice(0, Math.max(beyond, 1));
}

/**
 * Returns the lines of all the team's replies in an email, each reply under its author's name. Replaces a
 * reply that pretends to come from the security team of the reader's account. If only all replies together
 * pretend this, replaces all replies.
 */
async function composeReplyLines(
  replies: readonly Opened<Message>[],
  sender: Sender,
  withheld: string,
): Promise<string[]> {
  const passed: string[][] = [];
  for (const { content } of replies) {
    const lines = toMailLines(content);
    await pauseIfDue();
    passed.push(passesChecks(sender, lines) ? lines : [withheld]);
    await pauseIfDue();
  }
  if (replies.length > 1 && !passesChecks(sender, passed.flat())) return [withheld, ''];
  return replies.flatMap(({ authorName }, at) => {
    const name = sender.name(nameForVisitors(authorName) ?? '', '');
    return [
      ...(name === '' ? [] : [`${name}:`]),
      ...passed[at]!.map((line) => sender.withoutLinks(line)),
      '',
    ];
  });
}

function passesChecks(sender: Sender, lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return sender.text(text) === text;
}

/**
 * Returns the web page where the conversation started, if `allowed_domains` lists its domain. The page's URL
 * comes from the visitor, who may also have given the address of another person, so it is not trusted.
 */
function findPage({ pageUrl }: Conversation, { allowedDomains }: Bot): URL | null {
  if (pageUrl === null || allowedDomains === null || !URL.canParse(pageUrl)) return null;
  const page = new URL(pageUrl);
  const isPage = /^https?:$/.test(page.protocol) && page.username === '' && page.password === '';
  const origin = { origin: page.origin, referer: undefined };
  return isPage && isAllowedOn(allowedDomains, origin) ? page : null;
}
