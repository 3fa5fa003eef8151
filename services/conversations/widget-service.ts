import { findPageHost, isAllowedOn, type PageOrigin } from './allowed-domains.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { API_KEY_PREFIX } from '../../adapters/keys/api-key.ts';
import { PUBLIC_KEY_PREFIX } from '../../adapters/keys/public-key.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors/errors.ts';
import { isUuid, newId } from '../../core/ids.ts';
import { nameForVisitors } from '../../core/conversations/name-for-visitors.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { parsePageAddress } from '../../core/text/page-address.ts';
import { isServed, type Bot } from '../../entities/bots/bot.entity.ts';
import {
  isHandoff,
  mayUpdateContact,
  type Conversation,
} from '../../entities/conversations/conversation.entity.ts';
import type { ContentKeys } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import type { InboxRepository } from '../../repositories/conversations/inbox.repository.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { VisitorOfBot } from '../../repositories/contacts/visitor.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { VisitorToken } from '../../repositories/conversations/visitor.repository.ts';
import type { IdentityService } from '../contacts/identity-service.ts';
import { DEFAULT_LEAD_FORM_MESSAGES, getLeadForm } from '../contacts/lead-form.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { announceEnd } from './conversation-events.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import type { HandoffService } from './handoff-service.ts';
import { computeAvailability, type HandoffAvailability } from './handoff-hours.ts';
import type { ReplyTimes } from './reply-times.ts';
import { botOffError, requireSessionRow, createSessionRemovedError } from './session-errors.ts';
import { resolveBrowser, type VisitorBrowser } from './visitor-browser.ts';
import type { VisitorScope } from '../contacts/visitor-scope.ts';
import type { SessionBot } from '../../repositories/bots/bot.sql.ts';

export interface SessionInput {
  visitor_id?: string;
  /** Secret from an earlier session of the same browser, which proves that it is the same. */
  visitor_secret?: string;
  page_url?: string;
  referrer?: string;
  identity_token?: string;
  /** ISO 3166-1 code of the visitor's country; null if unknown. */
  country: string | null;
}

export interface StartedSession {
  sessionId: string;
  visitorId: string;
  visitorSecret: string;
  visitorToken: string;
  expiresInSeconds: number;
}

/** A visitor's session: the conversation with its bot and agent. */
export interface VisitorSession {
  conversation: Conversation;
  bot: Bot;
  /** Name of the assigned agent, in the form that visitors see; null if no agent is assigned. */
  agentName: string | null;
  /** True if the widget must show the lead form: the visitor is no lead yet, and has not refused consent. */
  isLeadFormDue: boolean;
  /** True if the visitor's contact has an email address, to which booking confirmations are sent. */
  hasEmail: boolean;
  /**
   * Whether agents are available now, according to the opening hours; null if the bot has no handoff
   * configuration.
   */
  handoffAvailability: HandoffAvailability | null;
  /**
   * Position of the visitor among those who wait for an agent in the workspace, from 1 for the longest wait.
   * Null if the visitor does not wait, outside the opening hours, and above MAX_QUEUE_POSITION.
   */
  queuePosition: number | null;
}

/** Facts about the team's availability for visitors who have not asked for a person. */
export interface TeamFacts extends HandoffAvailability {
  /** Typical time in minutes that a visitor waits for a team member's reply; null if unknown. */
  replyMinutes: number | null;
}

/** Maximum position in the queue for an agent that visitors see. */
const MAX_QUEUE_POSITION = 100;

export type OpenedSession = Omit<VisitorSession, 'conversation'> & { conversation: Opened<Conversation> };

export interface WidgetServiceDeps {
  settings: Pick<Settings, 'visitorTokenSeconds'>;
  conversations: ScopedRepository<Conversation>;
  contacts: ContactRepository;
  bots: BotRepository;
  members: MemberRepository;
  messages: MessageRepository;
  identities: IdentityService;
  handoffs: HandoffService;
  inbox: InboxRepository;
  replyTimes: ReplyTimes;
  writer: ConversationWriter;
  outbox: OutboxService;
  keyring: Keyring;
  clock: Clock;
  contentKeys: Pick<ContentKeys, 'getCurrentKey'>;
}

/** Serves the chat widget on websites: a bot's public configuration, and visitors' sessions. */
export class WidgetService {
  readonly #deps: WidgetServiceDeps;

  constructor(deps: WidgetServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the bot with this public key if it may run on the website's page.
   * @throws AppError `not_found` if the bot is not active and public; `forbidden` on a page outside
   *   allowed_domains
   */
  async getPublicBot(db: Database, publicKey: string, page: PageOrigin): Promise<Bot> {
    return requireAllowedPage(page, await this.#deps.bots.findPublic(db, publicKey), publicKey);
  }

  /**
   * Starts a visitor's session. Concurrent starts share a transaction, unless the visitor has an identity
   * token.
   * @throws AppError `not_found` or `forbidden` for the bot; `validation_error` for an invalid identity token
   *   or visitor secret; `key_unavailable`
   */
  async startSession(
    db: Database,
    publicKey: string,
    page: PageOrigin,
    input: SessionInput,
  ): Promise<StartedSession> {
    const { bots, writer, outbox, keyring, settings } = this.#deps;
    const named = { ...page, namesPage: input.page_url !== undefined };
    const bot = requireAllowedPage(named, await bots.findSessionBot(db, publicKey), publicKey);
    const id = newId();
    const browser = resolveBrowser(keyring, bot.id, input);
    const { visitorId, browserId, visitorSecret } = browser;
    const insertConversation = async (on: Database, contactId: string | null) => {
      const visitor = { botId: bot.id, browserId, contactId };
      const isStarted = await writer.start(on, {
        id,
        botId: bot.id,
        visitorId,
        browserId,
        pageUrl: parsePageAddress(input.page_url ?? page.referer),
        referrer: parsePageAddress(input.referrer),
        country: await this.#permitCountry({ orgId: bot.orgId, db: on }, visitor, input.country),
        contactId,
        traceparent: outbox.traceparent,
      });
      if (!isStarted) throw noSuchBot(publicKey);
    };
    if (input.identity_token === undefined) await insertConversation(db, null);
    else
      await this.#startIdentified(
        db,
        bot,
        { ...input, ...browser, token: input.identity_token },
        insertConversation,
      );
    return {
      sessionId: id,
      visitorId,
      visitorSecret,
      visitorToken: keyring.sign('visitor-token', { conversation_id: id } satisfies VisitorToken),
      expiresInSeconds: settings.visitorTokenSeconds,
    };
  }

  /** Returns the visitor's country if it may be stored; null if the visitor has refused consent. */
  async #permitCountry(
    scope: OrgScope,
    visitor: VisitorOfBot,
    country: string | null,
  ): Promise<string | null> {
    if (country === null) return null;
    return (await this.#deps.contacts.consents.hasRefused(scope, visitor)) ? null : country;
  }

  async #startIdentified(
    db: Database,
    bot: SessionBot,
    { token, visitorId, browserId, country }: VisitorBrowser & { token: string; country: string | null },
    start: (on: Database, contactId: string) => Promise<void>,
  ): Promise<void> {
    const { identities, contentKeys } = this.#deps;
    const { id: botId, orgId } = bot;
    const identity = await identities.verify(bot, token);
    // Loads the data key now: the transaction encrypts the contact, and loading the key inside it would take
    // a second database connection.
    await contentKeys.getCurrentKey(orgId);
    await db.transaction(async (tx) => {
      const visitor = { botId, browserId, visitorId, identity, country };
      await start(tx, await identities.resolveContact({ orgId, db: tx }, visitor));
    });
  }

  /** Describes the availability of a bot's team; null if the bot has no handoffs. */
  async describeTeam(scope: OrgScope, bot: Bot): Promise<TeamFacts | null> {
    if (!bot.handoffEnabled) return null;
    const { clock, replyTimes } = this.#deps;
    const availability = computeAvailability(bot.handoffConfig?.hours, clock.now());
    return { ...availability, replyMinutes: await replyTimes.findMinutes(scope, bot) };
  }

  async getSession(scope: VisitorScope): Promise<VisitorSession> {
    const { conversations, bots } = this.#deps;
    const [conversation, bot] = await Promise.all([
      requireSessionRow(conversations.get(scope, scope.conversationId)),
      requireSessionRow(bots.get(scope, scope.botId)),
    ]);
    const [agentName, known] = await Promise.all([
      this.#findAgentName(scope, conversation),
      this.#describeVisitor(scope, conversation, bot),
    ]);
    const handoffAvailability =
      bot.handoffConfig && computeAvailability(bot.handoffConfig.hours, this.#deps.clock.now());
    const isInQueue = conversation.status === 'waiting_human' && handoffAvailability?.isOpen !== false;
    const queuePosition = isInQueue ? await this.#findQueuePosition(scope, conversation) : null;
    return { conversation, bot, agentName, ...known, handoffAvailability, queuePosition };
  }

  /**
   * Returns the session as `getSession` does, with the conversation's content decrypted.
   * @throws AppError `key_unavailable`
   */
  async getOpenedSession(scope: VisitorScope): Promise<OpenedSession> {
    const session = await this.getSession(scope);
    return { ...session, conversation: await this.#deps.conversations.open(scope, session.conversation) };
  }

  /** Stores the visitor's rating of the conversation. A later rating replaces it. */
  async rate(scope: VisitorScope, rating: number): Promise<void> {
    const { conversations } = this.#deps;
    const isRated = await conversations.update(scope, scope.conversationId, { rating });
    if (!isRated) throw createSessionRemovedError();
  }

  /**
   * Requests a handoff.
   * @throws AppError `conflict` if the bot is switched off; the errors of `HandoffService.request`
   */
  async requestHandoff(scope: VisitorScope, reason: string | null): Promise<void> {
    const bot = await requireSessionRow(this.#deps.bots.get(scope, scope.botId));
    if (!isServed(bot)) throw botOffError();
    const request = { requestedBy: 'visitor', reason } as const;
    return requireSessionRow(this.#deps.handoffs.request(scope, scope.conversationId, request));
  }

  /** Ends the visitor's conversation. Has no effect if it has ended already. */
  async endSession(scope: VisitorScope): Promise<void> {
    await inTransaction(scope, async (tx) => {
      const { conversations, messages, outbox } = this.#deps;
      const { id, status } = await requireSessionRow(conversations.lock(tx, scope.conversationId));
      if (status === 'ended') return;
      await conversations.update(tx, id, { status: 'ended', endedAt: () => 'now()' });
      if (isHandoff(status))
        await messages.insertSystemMessages(tx, [id], { kind: 'ended', ended_by: 'visitor' });
      const ended = await conversations.get(tx, id);
      await announceEnd(outbox, tx, ended, 'visitor');
    });
  }

  async #findQueuePosition(scope: VisitorScope, conversation: Conversation): Promise<number | null> {
    const before = await this.#deps.inbox.countWaitingBefore(scope, conversation, MAX_QUEUE_POSITION);
    return before < MAX_QUEUE_POSITION ? before + 1 : null;
  }

  async #describeVisitor(
    scope: VisitorScope,
    conversation: Conversation,
    bot: Bot,
  ): Promise<Pick<VisitorSession, 'isLeadFormDue' | 'hasEmail'>> {
    if (!mayUpdateContact(conversation)) return { isLeadFormDue: false, hasEmail: false };
    const { contacts } = this.#deps;
    const [[contact], hasRefused, hasWrittenEnough] = await Promise.all([
      contacts.listByVisitors(scope, [conversation]),
      contacts.consents.hasRefused(scope, conversation),
      this.#hasWrittenEnough(scope, conversation, bot),
    ]);
    return {
      isLeadFormDue: hasWrittenEnough && !contact?.isLead && !hasRefused,
      hasEmail: (contact?.email ?? null) !== null,
    };
  }

  /** Returns true if the visitor has written as many messages as the bot's lead form waits for. */
  async #hasWrittenEnough(scope: VisitorScope, conversation: Conversation, bot: Bot): Promise<boolean> {
    const form = getLeadForm(bot);
    if (form?.trigger !== 'after_n_messages') return form?.trigger === 'before_chat';
    const needed = form.trigger_value ?? DEFAULT_LEAD_FORM_MESSAGES;
    // The stored count of all the conversation's messages often makes the query unnecessary.
    if (conversation.messageCount < needed) return false;
    return (await this.#deps.messages.countVisitorMessages(scope)) >= needed;
  }

  async #findAgentName({ db }: VisitorScope, { status, assignedToId }: Conversation): Promise<string | null> {
    if (status !== 'human' || assignedToId === null) return null;
    const names = await this.#deps.members.listNames(db, [assignedToId]);
    return nameForVisitors(names.get(assignedToId) ?? null);
  }
}

interface NamedOrigin extends PageOrigin {
  /**
   * Whether the request body has a `page_url`, which does not replace the headers: any caller can write it.
   */
  namesPage?: boolean;
}

/**
 * Returns the bot if it may run on the website's page.
 * @throws AppError `not_found` if the bot is null; `forbidden` on a page outside allowed_domains
 */
function requireAllowedPage<B extends Pick<Bot, 'allowedDomains'>>(
  page: NamedOrigin,
  bot: B | null,
  publicKey: string,
): B {
  if (!bot) throw noSuchBot(publicKey);
  if (isAllowedOn(bot.allowedDomains, page)) return bot;
  // Explains the reason: developers read this message in the browser's console or in a terminal.
  if (bot.allowedDomains?.length === 0)
    throw new AppError(
      'forbidden',
      'The bot is not allowed on any page: its list of allowed domains is empty.',
    );
  throw new AppError('forbidden', describeRefusedPage(page));
}

function describeRefusedPage(page: NamedOrigin): string {
  if (page.origin === undefined && page.referer === undefined)
    return page.namesPage
      ? 'The bot is only allowed on pages of its allowed domains, and page_url alone does not prove the page. Outside a browser, send the header Origin with an allowed page, such as https://shop.example.com.'
      : 'The bot is only allowed on pages of its allowed domains, and the request does not name its page. Outside a browser, send an allowed page as Origin.';
  const host = findPageHost(page);
  return host === null
    ? 'The bot is not allowed on this page, which has no host: it was opened from disk or is sandboxed. Serve it over HTTP.'
    : `The bot is not allowed on this page: the page’s host ${host} is not one of its allowed domains.`;
}

function noSuchBot(publicKey: string): AppError {
  if (publicKey.startsWith(API_KEY_PREFIX))
    return new AppError(
      'not_found',
      `This is an API key, which is now public. Remove it from the page, revoke it, and use the bot’s public_key (${PUBLIC_KEY_PREFIX}…).`,
    );
  const advice = isUuid(publicKey)
    ? ` This looks like a bot’s id; use its public_key (${PUBLIC_KEY_PREFIX}…).`
    : '';
  return new AppError('not_found', `There is no active bot with this public key.${advice}`);
}
