import { buildConsoleLink } from '../../../core/console-link.ts';
import { newId } from '../../../core/ids.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import type { AlertDestination } from '../../../entities/alerts/alert-destination.entity.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';
import type { MailRow } from '../../../entities/mail/mail.entity.ts';
import type { ContactRepository } from '../../../repositories/contacts/contact.repository.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { DueNoticeRepository } from '../../../repositories/mail/due-notice.repository.ts';
import type { MailRepository } from '../../../repositories/mail/mail.repository.ts';
import type { NoticeRepository } from '../../../repositories/mail/notice.repository.ts';
import { lockName } from '../../../database/advisory-lock.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type {
  NotifyHandoffInput,
  NotifyLeadInput,
  NotifyWebhookDisabledInput,
} from '../../../core/workflows/commands.ts';
import { describeKeyServiceFailure } from '../key-service-failure.ts';
import { selectReaders, parseLeadId } from './reader-selection.ts';
import {
  CONTENT_NOTICE_INTERVAL,
  describeFailedDocument,
  isContentNoticeDue,
  describeUsage,
  USED_PERCENT,
} from './due-notices.ts';
import type { MailService } from '../mail-service.ts';
import type { MailData } from '../rendering/mail-templates.ts';
import { AGENTS, isNotice, readerRoles, type Notice } from './notice-readers.ts';
import { describeHandoff, describeLead, MAX_SHOWN_MESSAGES } from '../visitor-facts.ts';

type NoticeRow = Pick<MailRow, 'template' | 'orgId' | 'userId' | 'key'>;
/** Template and values of an email to members of a workspace, without its recipient. */
type NoticeContent<M = Notice> = M extends Notice ? Pick<M, 'template' | 'data'> : never;

type MeetingTemplate = Extract<Notice['template'], `meeting_${string}`>;
/** Email about a meeting, without the link to the meeting, which TeamNotices adds. */
export type MeetingNotice = {
  [T in MeetingTemplate]: { template: T; data: Omit<MailData[T], 'link'> };
}[MeetingTemplate];

/**
 * Selects the recipients of an email. `notify` has user ids or email addresses; null selects all members
 * whose role permits this kind of email.
 */
interface ReaderSelection {
  notify?: string[] | null;
  /** Id of another user who gets the email regardless of their role in the workspace. */
  alsoUserId?: string | null;
  /** Limit of the emails to each recipient; undefined for emails that strangers cannot multiply. */
  limit?: DailyLimit | undefined;
}

/** Maximum number of emails to one recipient in 24 hours. */
interface DailyLimit {
  /** Templates of emails that count together toward the limit. */
  templates: readonly Notice['template'][];
  max: number;
  /** Function that returns the last email that the limit allows, with a note that the limit is reached. */
  close(): NoticeContent;
}

/** Templates of emails about meetings that count against the daily limit. */
const LIMITED_TEMPLATES = ['meeting_booked', 'meeting_moved', 'meeting_cancelled'] as const;

const MAX_BATCH = 200;
/**
 * Maximum number of failed documents that an email lists. The email states only the number of further
 * documents.
 */
const MAX_FAILURES = 5;
export interface TeamNoticesDeps {
  notices: NoticeRepository;
  mail: MailService;
  due: DueNoticeRepository;
  mails: MailRepository;
  messages: MessageRepository;
  contacts: ContactRepository;
  settings: Pick<Settings, 'baseUrl' | 'bookingMailsPerDay' | 'noticeMailsPerDay'>;
}

/**
 * Informs the members of a workspace by email about events in it. Each method returns the number of
 * recipients. Calling it again with the same key sends no further email.
 */
export class TeamNotices {
  readonly #deps: TeamNoticesDeps;

  constructor(deps: TeamNoticesDeps) {
    this.#deps = deps;
  }

  mailWebhookDisabled(
    db: Database,
    { orgId, endpointId: webhookId }: NotifyWebhookDisabledInput,
    key: string,
  ) {
    return this.#sendOnce({ orgId, db }, key, async (scope) => {
      const facts = await this.#deps.notices.findDisabledWebhook(scope, webhookId);
      if (!facts) return undefined;
      const { url, lastError } = facts.webhook;
      const data = { orgName: facts.orgName, url, reason: lastError ?? 'No response was recorded.' };
      return { template: 'webhook_disabled', data: { ...data, link: this.#buildLink(orgId, ['webhooks']) } };
    });
  }

  /**
   * Informs the team by email that a destination of alerts accepts no more alerts, once each time it becomes
   * blocked.
   */
  mailAlertsBlocked(
    scope: OrgScope,
    { channel, destination, name, blockedAt, blockedReason }: AlertDestination,
  ): Promise<number> {
    const key = `alerts-blocked/${scope.orgId}/${channel}/${destination}/${blockedAt?.getTime() ?? 0}`;
    return this.#sendOnce(scope, key, async (tx) => {
      const orgName = await this.#deps.notices.getOrgName(tx);
      const data = {
        orgName,
        channel: channel === 'telegram' ? 'Telegram' : 'WhatsApp',
        destination: name === null ? destination : `${name} (${destination})`,
        reason: blockedReason ?? 'The destination does not accept messages.',
        link: this.#buildLink(tx.orgId, ['alerts']),
      };
      return { template: 'alerts_blocked', data };
    });
  }

  /**
   * Informs the team by email that a calendar connection is failing.
   * @param reason error of the connection in plain words
   */
  mailCalendarFailing(scope: OrgScope, { connectionId, reason }: { connectionId: string; reason: string }) {
    return this.#sendOnce(scope, `calendar/${connectionId}/${newId()}`, async (tx) => {
      const facts = await this.#deps.notices.findCalendar(tx, connectionId);
      if (!facts) return undefined;
      const { orgName, connection } = facts;
      const account = `${connection.accountEmail ?? 'calendar'} (${connection.provider})`;
      const link = this.#buildLink(tx.orgId, ['bookings', 'calendar']);
      return { template: 'calendar_failing', data: { orgName, account, reason, link } };
    });
  }

  /**
   * Informs the workspace's owners by email about a failure or recovery of the key service that stores the
   * workspace's key.
   * @param reason error that the key service has reported
   */
  mailKeyService(scope: OrgScope, news: 'refused' | 'silent' | 'back', reason: string): Promise<number> {
    return this.#sendOnce(scope, `key-service/${newId()}`, async (tx) => {
      const orgName = await this.#deps.notices.getOrgName(tx);
      const link = this.#buildLink(tx.orgId, ['encryption']);
      if (news === 'back') return { template: 'key_service_back', data: { orgName, link } };
      const data = { orgName, meaning: describeKeyServiceFailure(news), reason, link };
      return { template: 'key_service_failing', data };
    });
  }

  mailHandoffRequested(db: Database, { orgId, conversationId }: NotifyHandoffInput, key: string) {
    return this.#sendOnce({ orgId, db }, key, async (scope) => {
      const facts = await this.#deps.notices.findWaitingConversation(scope, conversationId);
      if (!facts) return undefined;
      const { orgName, bot, conversation } = facts;
      const [contact = null] = await this.#deps.contacts.openByVisitors(scope, [conversation]);
      const messages = await this.#listMessages(scope, conversationId);
      const link = this.#buildLink(orgId, ['inbox', conversationId]);
      const data = describeHandoff({ orgName, botName: bot.name, contact, conversation, messages, link });
      const closing = this.#composeClosing('waiting visitors', 'the inbox shows all of them');
      return {
        template: 'handoff_requested',
        data,
        notify: bot.handoffConfig?.notify ?? null,
        limit: this.#limitNotices('handoff_requested', () => ({
          template: 'handoff_requested',
          data: { ...data, messages: [...data.messages, closing] },
        })),
      };
    });
  }

  mailLeadCaptured(db: Database, { orgId, contactId, conversationId }: NotifyLeadInput, key: string) {
    return this.#sendOnce({ orgId, db }, key, async (scope) => {
      const lead = await this.#deps.notices.findLeadLocked(scope, contactId, conversationId);
      if (!lead) return undefined;
      const { conversation } = lead;
      const messages = conversation === null ? [] : await this.#listMessages(scope, conversation.id);
      const path = conversation === null ? ['conversations'] : ['conversations', conversation.id];
      const data = describeLead({ ...lead, messages, link: this.#buildLink(orgId, path) });
      const closing = this.#composeClosing('leads', 'the contacts list shows all of them');
      return {
        template: 'lead_captured',
        data,
        limit: this.#limitNotices('lead_captured', () => ({
          template: 'lead_captured',
          data: { ...data, fields: [...data.fields, closing] },
        })),
      };
    });
  }

  /**
   * Sends emails about a new, moved or canceled meeting, to the team and the person who connected the
   * calendar. Each recipient gets a limited number a day, except for conflicts, which people must resolve.
   * @param last text added to the last email that the daily limit allows
   */
  async mailMeeting(
    tx: OrgScope,
    content: MeetingNotice,
    { key, connectedBy, last }: { key: string; connectedBy: string | null; last: (max: number) => string },
  ): Promise<number> {
    const link = this.#buildLink(tx.orgId, ['bookings']);
    const contentWithLink = { ...content, data: { ...content.data, link } } as NoticeContent;
    const { bookingMailsPerDay: max } = this.#deps.settings;
    const closed = { ...contentWithLink.data, details: [...content.data.details, last(max)] };
    const limit: DailyLimit = {
      templates: LIMITED_TEMPLATES,
      max,
      close: () => ({ ...contentWithLink, data: closed }) as NoticeContent,
    };
    const isLimited = content.template !== 'meeting_conflict' && max > 0;
    return this.#sendOnce(tx, key, async () => ({
      ...contentWithLink,
      alsoUserId: connectedBy,
      limit: isLimited ? limit : undefined,
    }));
  }

  /**
   * Sends emails to the teams about documents that could not be read: one email for each bot, at most once a
   * day. Returns the number of bots.
   */
  mailFailedContent(database: Database): Promise<number> {
    return database.transaction(async (db) => {
      const { due } = this.#deps;
      let mailed = 0;
      const failing = (await due.listFailingBots(db)).filter(isContentNoticeDue);
      for (const bot of failing.slice(0, MAX_BATCH)) {
        const { orgId, orgName, botId, botName, count } = bot;
        if (!(await due.claimContentNotice(db, botId, CONTENT_NOTICE_INTERVAL))) continue;
        const failures = (await due.listFailures(db, bot, MAX_FAILURES)).map(describeFailedDocument);
        const link = this.#buildLink(orgId, ['bots', botId, 'documents']);
        const data = { orgName, botName, count, failures, link };
        const content = { template: 'content_failed', data } as const;
        await this.#sendOnce({ orgId, db }, `content/${botId}/${newId()}`, async () => content);
        mailed += 1;
      }
      return mailed;
    });
  }

  /**
   * Sends emails about bots that have used 80 or 100 percent of their monthly cap, once for each percentage.
   * Returns the number of bots.
   */
  mailUsageReached(database: Database): Promise<number> {
    return database.transaction(async (db) => {
      let mailed = 0;
      await this.#deps.due.resetRaisedCaps(db);
      for (const percent of USED_PERCENT) {
        for (const { orgId, botId, month, ...data } of await this.#deps.due.claimUsedMonths(
          db,
          percent,
          MAX_BATCH,
        )) {
          const link = this.#buildLink(orgId, ['bots', botId]);
          const meaning = describeUsage(percent);
          const content = { template: 'usage_reached', data: { ...data, meaning, link } } as const;
          await this.#sendOnce(
            { orgId, db },
            `usage/${botId}/${month}/${percent}/${data.cap}`,
            async () => content,
          );
          mailed += 1;
        }
      }
      return mailed;
    });
  }

  mailPlanUsed(
    scope: OrgScope,
    data: Omit<MailData['plan_used'], 'orgName' | 'link'>,
    key: string,
  ): Promise<number> {
    return this.#sendOnce(scope, key, async (tx) => {
      const orgName = await this.#deps.notices.getOrgName(tx);
      return {
        template: 'plan_used',
        data: { ...data, orgName, link: this.#buildLink(tx.orgId, ['usage']) },
      };
    });
  }

  /**
   * Returns the reason why a queued email must no longer be sent; null if it may be sent. For example, its
   * recipient has lost access, or the lead was erased.
   */
  async findWithdrawalReason(
    db: Database,
    { template, orgId, userId, key }: NoticeRow,
  ): Promise<string | null> {
    if (orgId === null || userId === null || !isNotice(template)) return null;
    const { notices } = this.#deps;
    const scope = { orgId, db };
    const roles = template.startsWith('meeting_') ? AGENTS : readerRoles[template];
    if (!(await notices.isReader(scope, userId, roles))) return 'The recipient no longer has access.';
    const contactId = parseLeadId(key);
    return contactId === null || (await notices.isLead(scope, contactId))
      ? null
      : 'The lead no longer exists.';
  }

  #listMessages(scope: OrgScope, conversationId: string): Promise<Opened<Message>[]> {
    return this.#deps.messages.listNewest({ ...scope, conversationId }, MAX_SHOWN_MESSAGES);
  }

  /** Builds a link into the console that opens this workspace. */
  #buildLink(orgId: string, path: readonly string[]): string {
    return buildConsoleLink(this.#deps.settings.baseUrl, orgId, path);
  }

  #sendOnce(
    scope: OrgScope,
    key: string,
    compose: (scope: OrgScope) => Promise<(NoticeContent & ReaderSelection) | undefined>,
  ): Promise<number> {
    const { notices, mail } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const notice = await compose(tx);
      if (!notice) return 0;
      const { notify = null, alsoUserId = null, limit, ...content } = notice;
      const all = await notices.listReaders(tx, readerRoles[content.template], alsoUserId);
      const readers = selectReaders(all, notify);
      let mailed = 0;
      // The lock makes concurrent callers wait until this transaction has counted its emails.
      if (limit) await lockName(tx.db, `${limit.templates[0]} mails ${tx.orgId}`);
      for (const { userId, email } of readers) {
        const limitedContent = limit
          ? await this.#applyLimit(tx, userId, content as NoticeContent, limit)
          : (content as NoticeContent);
        if (limitedContent === null) continue;
        await mail.send(tx.db, {
          ...limitedContent,
          to: email,
          userId,
          orgId: tx.orgId,
          key: `${key}/${userId}`,
        });
        mailed += 1;
      }
      return mailed;
    });
  }

  /**
   * Adds the note about the daily limit to an email that reaches it. Returns null if the recipient has
   * already got the day's maximum of emails.
   */
  async #applyLimit(
    tx: OrgScope,
    userId: string,
    content: NoticeContent,
    { templates, max, close }: DailyLimit,
  ): Promise<NoticeContent | null> {
    const mailsToday = await this.#deps.mails.countLastDayForReader(tx, userId, templates);
    if (mailsToday >= max) return null;
    return mailsToday === max - 1 ? close() : content;
  }

  #limitNotices(template: Notice['template'], close: DailyLimit['close']): DailyLimit {
    return { templates: [template], max: this.#deps.settings.noticeMailsPerDay, close };
  }

  #composeClosing(what: string, elsewhere: string): string {
    return `You have received ${this.#deps.settings.noticeMailsPerDay} emails about ${what} within a day. No more of these emails are sent until you are below this limit again; ${elsewhere}.`;
  }
}
