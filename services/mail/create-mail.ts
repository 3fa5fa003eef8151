import { FollowedBookingRepository } from '../../repositories/bookings/followed-booking.repository.ts';
import { AnnouncementRepository } from '../../repositories/mail/announcement.repository.ts';
import { AnalyticsRepository } from '../../repositories/analytics/analytics.repository.ts';
import { EventCountRepository } from '../../repositories/alerts/event-count.repository.ts';
import { WeeklyMailRepository } from '../../repositories/mail/weekly-mail.repository.ts';
import { AccountLinkRepository } from '../../repositories/accounts/account-link.repository.ts';
import { SignInCodeRepository } from '../../repositories/accounts/sign-in-code.repository.ts';
import { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import { DueNoticeRepository } from '../../repositories/mail/due-notice.repository.ts';
import { EmailPreferenceRepository } from '../../repositories/mail/email-preference.repository.ts';
import { InvitationRepository } from '../../repositories/team/invitation.repository.ts';
import { MailRepository } from '../../repositories/mail/mail.repository.ts';
import { MailedReplyRepository } from '../../repositories/conversations/mailed-reply.repository.ts';
import { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { NoticeRepository } from '../../repositories/mail/notice.repository.ts';
import { RefusedAddressRepository } from '../../repositories/mail/refused-address.repository.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import { AttendeeMailChecks } from '../bookings/attendees/attendee-mail-checks.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { Announcements } from './notices/announcements.ts';
import { EmailPreferencesService } from './email-preferences-service.ts';
import { CapturedMails } from './captured-mails.ts';
import { MailDelivery } from './mail-delivery.ts';
import { MailedSecrets } from './mailed-secrets.ts';
import { MailService } from './mail-service.ts';
import { RateWindowRepository } from '../../repositories/requests/rate-window.repository.ts';
import { RecipientLimits } from './senders/recipient-limits.ts';
import { RefusedAddresses } from './senders/refused-addresses.ts';
import { SenderChecks } from './senders/sender-checks.ts';
import { ReplyMails } from './reply-mails.ts';
import { TeamNotices } from './notices/team-notices.ts';
import { WeeklyMails } from './notices/weekly-mails.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Creates the services that queue and send email. */
export function createMail(
  { settings, database, keyring, mailTransport: transport, clock, log }: ServiceDeps,
  outbox: OutboxService,
) {
  const mails = new MailRepository();
  const emailPreferences = new EmailPreferencesService({
    preferences: new EmailPreferenceRepository(),
    keyring,
  });
  const secrets = new MailedSecrets({
    links: new AccountLinkRepository(),
    codes: new SignInCodeRepository(),
    invitations: new InvitationRepository(),
  });
  const shared = { mails, preferences: emailPreferences, keyring, settings };
  const refused = new RefusedAddresses(new RefusedAddressRepository(), keyring);
  const orgs = new OrgRepository();
  const recipientLimits = new RecipientLimits({
    orgs,
    rateWindows: new RateWindowRepository(database),
    keyring,
  });
  const senderChecks = new SenderChecks({ orgs, log, settings });
  const mail = new MailService({ mails, orgs: new OrgRepository(), outbox, keyring });
  const replyMails = new ReplyMails({
    bots: new BotRepository(),
    conversations: new ConversationRepository(),
    contacts: new ContactRepository(),
    messages: new MessageRepository(),
    mailedReplies: new MailedReplyRepository(),
    mails,
    mail,
    outbox,
    recipients: recipientLimits,
    senders: senderChecks,
    settings,
  });
  const teamNotices = new TeamNotices({
    notices: new NoticeRepository(),
    due: new DueNoticeRepository(),
    mails: new MailRepository(),
    messages: new MessageRepository(),
    contacts: new ContactRepository(),
    mail,
    settings,
  });
  return {
    mail,
    emailPreferences,
    mailDelivery: new MailDelivery({
      ...shared,
      refused,
      secrets,
      teamNotices,
      replyMails,
      attendeeMailChecks: new AttendeeMailChecks(new FollowedBookingRepository()),
      transport,
      clock,
      log,
    }),
    capturedMails: new CapturedMails(shared),
    weeklyMails: new WeeklyMails({
      weekly: new WeeklyMailRepository(),
      counts: new EventCountRepository(),
      analytics: new AnalyticsRepository(),
      preferences: emailPreferences,
      mail,
      outbox,
      clock,
      settings,
    }),
    announcements: new Announcements({ announcements: new AnnouncementRepository(), refused, mail }),
    refusedAddresses: refused,
    recipientLimits,
    senderChecks,
    teamNotices,
    replyMails,
  };
}
