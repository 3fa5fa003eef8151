import { plainLines } from '../../browser/plain-markdown.ts';
import { LoopSlices } from '../../core/concurrency/loop-slices.ts';
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
import { subjectWith } from './rendering/render-mail.ts';
import { visitorLanguage } from './visitor-language.ts';
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

/** In one mail; what is beyond comes with the next. */
const MOST_REPLIES = 20;
/** Of those in one mail together, in UTF-16 code units: for what they claim, a thousand are read in a millisecond or two. */
const MOST_UNITS = 16_000;
/** Mails to visitors of one workspace in 24 hours: addresses that strangers typed must not cost the sender its reputation. */
const MAILS_PER_DAY = 500;

/** Mails what the team writes to visitors who have left and whose address is known. */
export class ReplyMails {
  readonly #deps: ReplyMailsDeps;

  constructor(deps: ReplyMailsDeps) {
    this.#deps = deps;
  }

  /** Has a reply that was just written looked after: whether the visitor comes back for it. */
  async watch(tx: OrgScope, conversation: Conversation, messageId: string): Promise<void> {
    const { outbox, settings } = this.#deps;
    if (settings.replyMailsPerConversation === 0 || (await this.#addressOf(tx, conversation)) === null)
      return;
    const { id: conversationId, botId } = conversation;
    const waitSeconds = settings.replyMailAfterSeconds;
    await outbox.command(tx, {
      workflow: 'mailVisitor',
      action: 'start',
      workflowId: mailVisitorWorkflowId(messageId),
      args: [{ orgId: tx.orgId, botId, conversationId, waitSeconds }],
      summary: 'Mail a reply to its visitor, who may have left',
    });
  }

  /**
   * Mails all replies that the visitor has not seen and that were not mailed yet, together; returns how many these are, none of a bot that was deleted.
   * The conversation is locked meanwhile, so each goes out once, however many ask for it.
   */
  mailUnseen(db: Database, { orgId, conversationId }: MailVisitorInput): Promise<number> {
    return inTransaction({ orgId, db }, async (tx) => {
      const { conversations, mailedReplies, recipients } = this.#deps;
      const conversation = await conversations.findLocked(tx, conversationId);
      if (conversation === null) return 0;
      const of = { ...tx, conversationId };
      const replies = fitting(await mailedReplies.listUnseen(of, conversation.visitorSeenAt, MOST_REPLIES));
      const to = await this.#addressOf(tx, conversation);
      const bot = await this.#deps.bots.find(tx, conversation.botId);
      if (replies.length === 0 || to === null || bot === null || !(await this.#isWithinLimits(of))) return 0;
      const [accountId] = replies.flatMap(({ authorId }) => authorId ?? []);
      const by = accountId === undefined ? null : { accountId };
      if ((await recipients.trySpend(tx, { to, by, count: 1 })) > 0) return 0;
      await this.#send(tx, { bot, conversation, replies, to });
      await mailedReplies.update(of, replies);
      return replies.length;
    });
  }

  /** Why a mail that waits must not go out any more, or null. */
  async objection(db: Database, { template, orgId, key }: MailRow, to: string): Promise<string | null> {
    if (!template.startsWith('team_reply') || orgId === null) return null;
    const scope = { orgId, db };
    const [, conversationId = ''] = key?.split('/') ?? [];
    const conversation = await this.#deps.conversations.find(scope, conversationId);
    if (conversation === null) return 'The conversation is not there any more.';
    return (await this.#addressOf(scope, conversation)) === to
      ? null
      : 'The visitor has taken the address back.';
  }

  /** Null where none is known, or none may be used. */
  async #addressOf(scope: OrgScope, conversation: Conversation): Promise<string | null> {
    const { contacts } = this.#deps;
    const [contact] = await contacts.openOfVisitors(scope, [conversation]);
    // An archive may have brought a text that is no address.
    if (!contact?.email || !isEmailAddress(contact.email)) return null;
    if (await contacts.consents.hasRefused(scope, conversation)) return null;
    return contact.email;
  }

  /** Whoever gave the address may have given somebody else's. */
  async #isWithinLimits(scope: OrgScope & { conversationId: string }): Promise<boolean> {
    const { mailedReplies, mails, settings } = this.#deps;
    if ((await mailedReplies.count(scope)) >= settings.replyMailsPerConversation) return false;
    // Others wait until this one is counted.
    await lockName(scope.db, `reply mails ${scope.orgId}`);
    return (await mails.countOfDay(scope, ['team_reply', 'team_reply_without_page'])) < MAILS_PER_DAY;
  }

  async #send(
    tx: OrgScope,
    {
      bot,
      conversation,
      replies,
      to,
    }: { bot: Bot; conversation: Conversation; replies: Opened<Message>[]; to: string },
  ): Promise<void> {
    const { id: conversationId } = conversation;
    const language = (await visitorLanguage(this.#deps.messages, tx, { bot, conversationId })) ?? 'en';
    const words = visitorWords[language];
    const sender = await this.#deps.senders.open(tx, 'team_reply');
    const found = pageOf(conversation, bot);
    // The link tells its host.
    const page = found !== null && isPassed(sender, [found.hostname]) ? found : null;
    const botName = sender.name(bot.name, senderWords[language].unnamed);
    const notice = sender.notice(language);
    const data = {
      language,
      botName,
      subject: subjectWith(words.subject, botName),
      greeting: words.greeting,
      intro: words.intro(botName),
      replies: await linesOf(replies, sender, senderWords[language].withheld),
      note: [notice, words.note].filter(Boolean).join(' '),
      why: words.why(botName),
    };
    const about = { to, orgId: tx.orgId, key: `mail-visitor/${conversation.id}/${replies[0]!.id}` };
    await this.#deps.mail.send(
      tx.db,
      page === null
        ? { ...about, template: 'team_reply_without_page', data }
        : {
            ...about,
            template: 'team_reply',
            data: { ...data, link: page.href, goOn: words.goOn(page.hostname) },
          },
    );
  }
}

/** The first ones that one mail has room for, at least one. */
function fitting(replies: Opened<Message>[]): Opened<Message>[] {
  let left = MOST_UNITS;
  const beyond = replies.findIndex(({ content }) => (left -= content.length) < 0);
  return beyond === -1 ? replies : replies.slice(0, Math.max(beyond, 1));
}

/**
 * Each reply under the name of its author, and an empty line. A reply that claims to guard the reader's account is withheld, and so are
 * all if they do so together.
 */
async function linesOf(
  replies: readonly Opened<Message>[],
  sender: Sender,
  withheld: string,
): Promise<string[]> {
  const slices = new LoopSlices();
  const passed: string[][] = [];
  for (const { content } of replies) {
    const lines = plainLines(content);
    await slices.pauseIfDue();
    passed.push(isPassed(sender, lines) ? lines : [withheld]);
    await slices.pauseIfDue();
  }
  if (replies.length > 1 && !isPassed(sender, passed.flat())) return [withheld, ''];
  return replies.flatMap(({ authorName }, at) => {
    const name = sender.name(nameForVisitors(authorName) ?? '', '');
    return [
      ...(name === '' ? [] : [`${name}:`]),
      ...passed[at]!.map((line) => sender.withoutLinks(line)),
      '',
    ];
  });
}

function isPassed(sender: Sender, lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return sender.text(text) === text;
}

/** Where the conversation began, if the bot may run there: the visitor's browser has told it, and may have told anything. */
function pageOf({ pageUrl }: Conversation, { allowedDomains }: Bot): URL | null {
  if (pageUrl === null || !URL.canParse(pageUrl)) return null;
  const page = new URL(pageUrl);
  const isPage = /^https?:$/.test(page.protocol) && page.username === '' && page.password === '';
  const origin = { origin: page.origin, referer: undefined };
  return isPage && isAllowedOn(allowedDomains, origin) ? page : null;
}
