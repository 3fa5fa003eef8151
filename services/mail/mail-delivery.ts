import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { MailTransport } from '../../adapters/mail/mail-transport.ts';
import { UndecryptableValue } from '../../core/errors/undecryptable-value.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { MailRow, MailState } from '../../entities/mail/mail.entity.ts';
import type { EndState, MailRepository } from '../../repositories/mail/mail.repository.ts';
import type { AttendeeMailChecks } from '../bookings/attendees/attendee-mail-checks.ts';
import { parseSchedule, computeRetryPause } from '../webhooks/retry-schedule.ts';
import { composeMail } from './rendering/compose-mail.ts';
import type { EmailPreferencesService } from './email-preferences-service.ts';
import { decryptMail, type MailContent } from './mail-content.ts';
import type { MailedSecrets } from './mailed-secrets.ts';
import {
  isMailCategory,
  mailKinds,
  mailLifetimes,
  type MailLifetimeSettings,
  type MailTemplate,
} from './rendering/mail-templates.ts';
import type { RefusedAddresses } from './senders/refused-addresses.ts';
import type { ReplyMails } from './reply-mails.ts';
import type { TeamNotices } from './notices/team-notices.ts';

export interface MailDeliveryDeps {
  mails: MailRepository;
  refused: RefusedAddresses;
  preferences: EmailPreferencesService;
  secrets: MailedSecrets;
  teamNotices: Pick<TeamNotices, 'findWithdrawalReason'>;
  replyMails: Pick<ReplyMails, 'findWithdrawalReason'>;
  attendeeMailChecks: AttendeeMailChecks;
  /**
   * Client of the mail server. If undefined, no mail server is configured, and emails are captured
   * in the database.
   */
  transport: MailTransport | undefined;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  settings: Pick<Settings, 'baseUrl' | 'mailFrom' | 'mailRetrySchedule'> & MailLifetimeSettings;
}

/**
 * State of an email after an attempt to send it. `waitMs` is the pause in milliseconds before the next
 * attempt, if the email is still pending.
 */
export interface MailProgress {
  state: MailState | 'gone';
  attempts: number;
  reason: string | null;
  waitMs: number;
}

/** Sends a queued email. The email's workflow calls these methods as its steps. */
export class MailDelivery {
  readonly #deps: MailDeliveryDeps;
  readonly #schedule: readonly number[];

  constructor(deps: MailDeliveryDeps) {
    this.#deps = deps;
    this.#schedule = parseSchedule(deps.settings.mailRetrySchedule);
  }

  /**
   * Attempts once to send the email. Does nothing unless the email is pending, so a repeated call never sends
   * it twice.
   * @throws AppError `key_unavailable` if no attempt was made
   */
  async attempt(db: Database, mailId: string): Promise<MailProgress> {
    const { mails, transport } = this.#deps;
    const mail = await mails.find(db, mailId);
    if (mail?.state !== 'pending') return toMailProgress(mail);
    const content = this.#decryptContent(await mails.open(db, mail));
    if (content === null)
      return this.#storeEnd(db, mail, 'failed', 'The email was encrypted with a different master key.');
    const suppression = await this.#findSuppressionReason(db, mail, content.to);
    if (suppression !== null) return this.#storeEnd(db, mail, 'suppressed', suppression);
    const withdrawal = await this.#findWithdrawalReason(db, mail, content);
    if (withdrawal !== null) return this.#storeEnd(db, mail, 'withdrawn', withdrawal);
    if (transport === undefined) return this.#storeEnd(db, mail, 'kept', null);
    return this.#sendByTransport(db, transport, mail, content);
  }

  async cancel(db: Database, mailId: string): Promise<MailProgress> {
    const mail = await this.#deps.mails.find(db, mailId);
    if (mail?.state !== 'pending') return toMailProgress(mail);
    return this.#storeEnd(db, mail, 'failed', 'An operator canceled the email.');
  }

  async #sendByTransport(
    db: Database,
    transport: MailTransport,
    mail: MailRow,
    content: MailContent,
  ): Promise<MailProgress> {
    const { mails, refused, log } = this.#deps;
    const outcome = await transport.send(composeMail(mail, content, this.#deps));
    const attempts = mail.attempts + 1;
    const fields = { mailId: mail.id, template: mail.template, attempts };
    if (outcome.kind === 'sent') {
      await refused.forget(db, content.to);
      return this.#storeEnd(db, mail, 'sent', null, true);
    }
    const { reason } = outcome;
    if (outcome.kind === 'refused') {
      log.warn({ ...fields, reason }, 'mail server refused an email');
      if (outcome.isAddressBad) await refused.record(db, content.to, reason);
      return this.#storeEnd(db, mail, 'refused', reason, true);
    }
    const waitMs = this.#computePause(mail, attempts);
    log.warn(
      { ...fields, reason },
      waitMs === undefined ? 'email failed after its last attempt' : 'email attempt failed; retrying',
    );
    if (waitMs === undefined) return this.#storeEnd(db, mail, 'failed', reason, true);
    await mails.markDeferred(db, mail.id, reason);
    return { state: 'pending', attempts, reason, waitMs };
  }

  async #storeEnd(
    db: Database,
    mail: MailRow,
    state: EndState,
    reason: string | null,
    isAttempt = false,
  ): Promise<MailProgress> {
    const { mails, attendeeMailChecks } = this.#deps;
    await db.transaction(async (tx) => {
      if (state === 'sent' || state === 'kept') await attendeeMailChecks.noteSent(tx, mail);
      await mails.finish(tx, mail.id, { state, reason, isAttempt });
    });
    return { state, attempts: mail.attempts + (isAttempt ? 1 : 0), reason, waitMs: 0 };
  }

  /**
   * Returns the reason why the recipient must not get the email, such as a refused address; null if they may
   * get it.
   */
  async #findSuppressionReason(
    db: Database,
    { template, userId }: MailRow,
    to: string,
  ): Promise<string | null> {
    const { refused, preferences } = this.#deps;
    const kind = mailKinds[template as MailTemplate];
    if (kind === 'security') return null;
    if (isMailCategory(kind) && userId !== null && !(await preferences.isTurnedOn(db, userId, kind)))
      return `The recipient has turned off emails of the category ${kind}.`;
    return (await refused.has(db, to)) ? 'An earlier email to this address was refused.' : null;
  }

  /**
   * Returns the reason why the email must no longer be sent, such as an expired link; null if it may be sent.
   */
  async #findWithdrawalReason(db: Database, mail: MailRow, content: MailContent): Promise<string | null> {
    const { secrets, teamNotices, replyMails, attendeeMailChecks } = this.#deps;
    if (!(await secrets.areValid(db, mail.template as MailTemplate, content)))
      return 'The link or code in the email has expired or was used.';
    return (
      (await teamNotices.findWithdrawalReason(db, mail)) ??
      (await attendeeMailChecks.findWithdrawalReason(db, mail, content.to)) ??
      replyMails.findWithdrawalReason(db, mail, content.to)
    );
  }

  /**
   * Returns the pause in milliseconds before the next attempt to send an email; undefined if a later attempt
   * would be useless.
   */
  #computePause({ template, createdAt }: MailRow, attempts: number): number | undefined {
    const pauseMs = computeRetryPause(this.#schedule, attempts);
    const lifetimes: { [T in MailTemplate]?: number } = mailLifetimes(this.#deps.settings);
    const lifetimeMs = (lifetimes[template as MailTemplate] ?? Infinity) * 1000;
    const ageMs = this.#deps.clock.now().getTime() - createdAt.getTime();
    return pauseMs === undefined || ageMs + pauseMs > lifetimeMs ? undefined : pauseMs;
  }

  /** Decrypts the content of an email. Returns null if it was encrypted with another master key. */
  #decryptContent({ id, content }: Opened<MailRow>): MailContent | null {
    try {
      return content === null ? null : decryptMail(this.#deps.keyring, id, content);
    } catch (error) {
      if (error instanceof UndecryptableValue) return null;
      throw error;
    }
  }
}

function toMailProgress(mail: MailRow | null): MailProgress {
  const { state = 'gone', attempts = 0, reason = null } = mail ?? {};
  return { state, attempts, reason, waitMs: 0 };
}
