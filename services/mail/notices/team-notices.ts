import { consoleLink } from '../../../core/console-link.ts';
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
import { keyServiceMeaning } from '../key-service-meaning.ts';
import { chosenOf, leadOf } from './notice-people.ts';
import {
  CONTENT_NOTICE_EVERY,
  failureText,
  isContentNoticeDue,
  usageMeaning,
  USED_PERCENT,
} from './due-notices.ts';
import type { MailService } from '../mail-service.ts';
import type { MailData } from '../rendering/mail-templates.ts';
import { AGENTS, isNotice, readersOf, type Notice } from './notice-readers.ts';
import { describeHandoff, describeLead, MAX_SHOWN_MESSAGES } from '../visitor-facts.ts';

type NoticeRow = Pick<MailRow, 'template' | 'orgId' | 'userId' | 'key'>;
/** What a mail says, without whom it is for. */
type Said<M = Notice> = M extends Notice ? Pick<M, 'template' | 'data'> : never;

type MeetingTemplate = Extract<Notice['template'], `meeting_${string}`>;
/** A mail about a meeting; its link is made here. */
export type MeetingNotice = {
  [T in MeetingTemplate]: { template: T; data: Omit<MailData[T], 'link'> };
}[MeetingTemplate];

/** Whom it is for, of those who may read it: ids or addresses; all of them where nobody was chosen. */
interface Chosen {
  notify?: string[] | null;
  /** Who reads it whatever their role. */
  besidesId?: string | null;
  /** What the last one of a day says besides, where there are only so many. */
  last?: ((most: number) => string) | undefined;
}

/** Mails about meetings of which there are only so many a day. */
const BOUNDED = ['meeting_booked', 'meeting_moved', 'meeting_cancelled'] as const;
type SaidOfMeeting = Extract<Said, { template: MeetingTemplate }>;

const MOST_AT_ONCE = 200;
/** Of a bot; a mail says how many there are besides. */
const MOST_FAILURES = 5;
export interface TeamNoticesDeps {
  notices: NoticeRepository;
  mail: MailService;
  due: DueNoticeRepository;
  mails: MailRepository;
  messages: MessageRepository;
  contacts: ContactRepository;
  settings: Pick<Settings, 'baseUrl' | 'bookingMailsPerDay'>;
}

/**
 * Mail to the people of a workspace about what happened there. Each returns how many it is for; done again with the same
 * key, it sends nothing more.
 */
export class TeamNotices {
  readonly #deps: TeamNoticesDeps;

  constructor(deps: TeamNoticesDeps) {
    this.#deps = deps;
  }

  webhookDisabled(db: Database, { orgId, endpointId: webhookId }: NotifyWebhookDisabledInput, key: string) {
    return this.#tell({ orgId, db }, key, async (scope) => {
      const facts = await this.#deps.notices.findDisabledWebhook(scope, webhookId);
      if (!facts) return undefined;
      const { url, lastError } = facts.webhook;
      const data = { orgName: facts.orgName, url, reason: lastError ?? 'It kept failing.' };
      return { template: 'webhook_disabled', data: { ...data, link: this.#link(orgId, ['webhooks']) } };
    });
  }

  /** Tells of a chat or number that takes no alerts any more, once for each time. */
  alertsBlocked(
    scope: OrgScope,
    { channel, destination, name, blockedAt, blockedReason }: AlertDestination,
  ): Promise<number> {
    const key = `alerts-blocked/${scope.orgId}/${channel}/${destination}/${blockedAt?.getTime() ?? 0}`;
    return this.#tell(scope, key, async (tx) => {
      const orgName = await this.#deps.notices.getOrgName(tx);
      const data = {
        orgName,
        channel: channel === 'telegram' ? 'Telegram' : 'WhatsApp',
        destination: name === null ? destination : `${name} (${destination})`,
        reason: blockedReason ?? 'It takes no messages.',
        link: this.#link(tx.orgId, ['alerts']),
      };
      return { template: 'alerts_blocked', data };
    });
  }

  /** @param failure what is wrong, in words for people */
  calendarFailing(scope: OrgScope, { connectionId, reason }: { connectionId: string; reason: string }) {
    return this.#tell(scope, `calendar/${connectionId}/${newId()}`, async (tx) => {
      const facts = await this.#deps.notices.findCalendar(tx, connectionId);
      if (!facts) return undefined;
      const { orgName, connection } = facts;
      const account = `${connection.accountEmail ?? 'calendar'} (${connection.provider})`;
      const link = this.#link(tx.orgId, ['bookings', 'calendar']);
      return { template: 'calendar_failing', data: { orgName, account, reason, link } };
    });
  }

  /** Tells of what is new of the service that holds the workspace's key. @param reason what it said, of one that fails */
  keyService(scope: OrgScope, news: 'refused' | 'silent' | 'back', reason: string): Promise<number> {
    return this.#tell(scope, `key-service/${newId()}`, async (tx) => {
      const orgName = await this.#deps.notices.getOrgName(tx);
      const link = this.#link(tx.orgId, ['encryption']);
      if (news === 'back') return { template: 'key_service_back', data: { orgName, link } };
      const data = { orgName, meaning: keyServiceMeaning(news), reason, link };
      return { template: 'key_service_failing', data };
    });
  }

  handoffRequested(db: Database, { orgId, conversationId }: NotifyHandoffInput, key: string) {
    return this.#tell({ orgId, db }, key, async (scope) => {
      const facts = await this.#deps.notices.findWaitingConversation(scope, conversationId);
      if (!facts) return undefined;
      const { orgName, bot, conversation } = facts;
      const [contact = null] = await this.#deps.contacts.openOfVisitors(scope, [conversation]);
      const messages = await this.#listMessages(scope, conversationId);
      const link = this.#link(orgId, ['inbox', conversationId]);
      const data = describeHandoff({ orgName, botName: bot.name, contact, conversation, messages, link });
      return { template: 'handoff_requested', data, notify: bot.handoffConfig?.notify ?? null };
    });
  }

  leadCaptured(db: Database, { orgId, contactId, conversationId: leftIn }: NotifyLeadInput, key: string) {
    return this.#tell({ orgId, db }, key, async (scope) => {
      const lead = await this.#deps.notices.findLeadLocked(scope, contactId, leftIn);
      if (!lead) return undefined;
      const { conversation } = lead;
      const messages = conversation === null ? [] : await this.#listMessages(scope, conversation.id);
      const place = conversation === null ? ['conversations'] : ['conversations', conversation.id];
      const data = describeLead({ ...lead, messages, link: this.#link(orgId, place) });
      return { template: 'lead_captured', data };
    });
  }

  /**
   * Whoever has connected the calendar reads it as well. There are only so many a day, but of conflicts, which people have to
   * settle. @param last what the last one of them says besides
   */
  async meeting(
    tx: OrgScope,
    said: MeetingNotice,
    { key, connectedBy, last }: { key: string; connectedBy: string | null; last: (most: number) => string },
  ): Promise<number> {
    const link = this.#link(tx.orgId, ['bookings']);
    const whole = { ...said, data: { ...said.data, link } } as Said;
    const isBounded = said.template !== 'meeting_conflict' && this.#deps.settings.bookingMailsPerDay > 0;
    // Others wait until this one is counted.
    if (isBounded) await lockName(tx.db, `meeting mails ${tx.orgId}`);
    return this.#tell(tx, key, async () => ({
      ...whole,
      besidesId: connectedBy,
      last: isBounded ? last : undefined,
    }));
  }

  /** Tells of documents that have failed, a bot's together and once a day; answers of how many bots. */
  contentFailed(database: Database): Promise<number> {
    return database.transaction(async (db) => {
      const { due } = this.#deps;
      let told = 0;
      const failing = (await due.listFailingBots(db)).filter(isContentNoticeDue);
      for (const bot of failing.slice(0, MOST_AT_ONCE)) {
        const { orgId, orgName, botId, botName, count } = bot;
        if (!(await due.claimContentNotice(db, botId, CONTENT_NOTICE_EVERY))) continue;
        const failures = (await due.listFailures(db, bot, MOST_FAILURES)).map(failureText);
        const link = this.#link(orgId, ['bots', botId, 'documents']);
        const data = { orgName, botName, count, failures, link };
        const said = { template: 'content_failed', data } as const;
        await this.#tell({ orgId, db }, `content/${botId}/${newId()}`, async () => said);
        told += 1;
      }
      return told;
    });
  }

  /** Tells of bots that have used much or all of their month, once for each share of a cap; answers of how many. */
  usageReached(database: Database): Promise<number> {
    return database.transaction(async (db) => {
      let told = 0;
      await this.#deps.due.resetOutgrown(db);
      for (const percent of USED_PERCENT) {
        for (const { orgId, botId, month, ...data } of await this.#deps.due.claimUsedMonths(
          db,
          percent,
          MOST_AT_ONCE,
        )) {
          const link = this.#link(orgId, ['bots', botId]);
          const meaning = usageMeaning(percent);
          const said = { template: 'usage_reached', data: { ...data, meaning, link } } as const;
          await this.#tell({ orgId, db }, `usage/${botId}/${month}/${percent}/${data.cap}`, async () => said);
          told += 1;
        }
      }
      return told;
    });
  }

  planUsed(
    scope: OrgScope,
    data: Omit<MailData['plan_used'], 'orgName' | 'link'>,
    key: string,
  ): Promise<number> {
    return this.#tell(scope, key, async (tx) => {
      const orgName = await this.#deps.notices.getOrgName(tx);
      return { template: 'plan_used', data: { ...data, orgName, link: this.#link(tx.orgId, ['usage']) } };
    });
  }

  /** Why a mail that waits must not go out any more, or null: its reader may not know, or whom it is about was erased. */
  async objection(db: Database, { template, orgId, userId, key }: NoticeRow): Promise<string | null> {
    if (orgId === null || userId === null || !isNotice(template)) return null;
    const { notices } = this.#deps;
    const scope = { orgId, db };
    const roles = template.startsWith('meeting_') ? AGENTS : readersOf[template];
    if (!(await notices.isReader(scope, userId, roles))) return 'The reader has no part in it any more.';
    const contactId = leadOf(key);
    return contactId === null || (await notices.isLead(scope, contactId))
      ? null
      : 'The lead is not there any more.';
  }

  #listMessages(scope: OrgScope, conversationId: string): Promise<Opened<Message>[]> {
    return this.#deps.messages.listNewest({ ...scope, conversationId }, MAX_SHOWN_MESSAGES);
  }

  /** To a place in the console, which goes on in this workspace there. */
  #link(orgId: string, place: readonly string[]): string {
    return consoleLink(this.#deps.settings.baseUrl, orgId, place);
  }

  #tell(
    scope: OrgScope,
    key: string,
    say: (scope: OrgScope) => Promise<(Said & Chosen) | undefined>,
  ): Promise<number> {
    const { notices, mail } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const news = await say(tx);
      if (!news) return 0;
      const { notify = null, besidesId = null, last, ...said } = news;
      const all = await notices.listReaders(tx, readersOf[said.template], besidesId);
      const readers = chosenOf(all, notify);
      let told = 0;
      for (const { userId, email } of readers) {
        const whole = last ? await this.#bounded(tx, userId, said as SaidOfMeeting, last) : (said as Said);
        if (whole === null) continue;
        await mail.send(tx.db, { ...whole, to: email, userId, orgId: tx.orgId, key: `${key}/${userId}` });
        told += 1;
      }
      return told;
    });
  }

  /** Null where the reader has had all mails of the day. */
  async #bounded(
    tx: OrgScope,
    userId: string,
    said: SaidOfMeeting,
    last: (most: number) => string,
  ): Promise<Said | null> {
    const { mails, settings } = this.#deps;
    const most = settings.bookingMailsPerDay;
    const had = await mails.countOfReader(tx, userId, BOUNDED);
    if (had >= most) return null;
    const details = had === most - 1 ? [...said.data.details, last(most)] : said.data.details;
    return { ...said, data: { ...said.data, details } };
  }
}
