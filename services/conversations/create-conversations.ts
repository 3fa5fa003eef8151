import { AnalyticsRepository } from '../../repositories/analytics/analytics.repository.ts';
import { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import { BookingErasure } from '../bookings/booking-erasure.ts';
import { BookingWriter } from '../bookings/booking-writer.ts';
import { AnswerRatingRepository } from '../../repositories/conversations/answer-rating.repository.ts';
import { ConversationFileRepository } from '../../repositories/conversations/conversation-file.repository.ts';
import { ConversationNoteRepository } from '../../repositories/conversations/conversation-note.repository.ts';
import { MailRepository } from '../../repositories/mail/mail.repository.ts';
import { ToolInvocationRepository } from '../../repositories/mcp/tool-invocation.repository.ts';
import { NoticeRepository } from '../../repositories/mail/notice.repository.ts';
import { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import { HandoffWaitRepository } from '../../repositories/conversations/handoff-wait.repository.ts';
import { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import { ErasureRepository } from '../../repositories/contacts/erasure.repository.ts';
import { IdempotencyRepository } from '../../repositories/requests/idempotency.repository.ts';
import { InboxRepository } from '../../repositories/conversations/inbox.repository.ts';
import { MemberRepository } from '../../repositories/team/member.repository.ts';
import { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { AnswerRepository } from '../../repositories/conversations/answer.repository.ts';
import { ConversationStartRepository } from '../../repositories/conversations/conversation-start.repository.ts';
import { ConversationPreviewRepository } from '../../repositories/conversations/conversation-preview.repository.ts';
import { TurnRepository } from '../../repositories/conversations/turn.repository.ts';
import { SavedReplyRepository } from '../../repositories/conversations/saved-reply.repository.ts';
import { VisitorRepository } from '../../repositories/conversations/visitor.repository.ts';
import type { ContentKeys } from '../../database/content-keys.ts';
import type { FlowCalendar } from '../flows/flow-calendar.ts';
import { createFlowRunning } from '../flows/running/create-flow-running.ts';
import { Answerer } from './answering/answerer.ts';
import { RemarkAnswerer } from './answering/remark-answerer.ts';
import { AnswerDraftService } from './answering/answer-draft-service.ts';
import { PlaygroundService } from './answering/playground-service.ts';
import { TurnWriter } from './answering/turn-writer.ts';
import { ANSWER_LEASE_SECONDS, AnswerRunner } from './answering/answer-runner.ts';
import { TurnService } from './answering/turn-service.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { ContactLearning } from '../contacts/contact-learning.ts';
import { ContactService } from '../contacts/contact-service.ts';
import { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import type { OutdatedUploads } from '../encryption/outdated-uploads.ts';
import type { ErasedPeople } from '../archive/erased-people.ts';
import { ErasureService } from '../contacts/erasure-service.ts';
import { IdentityService } from '../contacts/identity-service.ts';
import { LeadService } from '../contacts/lead-service.ts';
import { HandoffService } from './handoff-service.ts';
import { InboxService } from './inbox-service.ts';
import { SavedReplyService } from './saved-reply-service.ts';
import { TextSearches } from './text-searches.ts';
import { AnswerRatingService } from './answer-rating-service.ts';
import type { ConversationFileContent } from './files/conversation-file-content.ts';
import { ConversationFileRemoval } from './files/conversation-file-removal.ts';
import { ConversationFileService } from './files/conversation-file-service.ts';
import { ConversationNoteService } from './conversation-note-service.ts';
import { ConversationService } from './conversation-service.ts';
import { ReplyTimes } from './reply-times.ts';
import { WidgetService } from './widget-service.ts';
import { EnrichmentService } from './enrichment/enrichment-service.ts';
import type { SearchService } from '../knowledge/search/search-service.ts';
import { ConversationFeed } from './live/conversation-feed.ts';
import { InboxEvents } from './live/inbox-events.ts';
import { VisitorEvents } from './live/visitor-events.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { ReplyMails } from '../mail/reply-mails.ts';
import { IdleConversations } from './idle-conversations.ts';
import { IdleConversationRepository } from '../../repositories/conversations/idle-conversation.repository.ts';
import type { MessageQuota } from '../usage/message-quota.ts';
import type { TokenUsage } from '../usage/token-usage.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';

interface ConversationsDeps extends SharedDeps {
  replyMails: ReplyMails;
  mail: MailService;
  flowCalendar: FlowCalendar;
  erased: ErasedPeople;
  tokens: TokenUsage;
  messageQuota: MessageQuota;
  contentKeys: Pick<ContentKeys, 'getCurrentKey'>;
  conversationFileContent: ConversationFileContent;
  outdatedUploads: OutdatedUploads;
}

/**
 * Creates the services for visitors' sessions, their messages and answers, and for the team's access to
 * conversations.
 */
export function createConversations(
  deps: ServiceDeps,
  {
    bots,
    outbox,
    replyMails,
    mail,
    flowCalendar,
    erased,
    tokens,
    messageQuota: quota,
    contentKeys,
    conversationFileContent,
    outdatedUploads,
  }: ConversationsDeps,
  search: SearchService,
) {
  const contacts = new ContactRepository();
  const bookings = new BookingRepository();
  const { settings, database, keyring, models, clock, log } = deps;
  const conversations = new ConversationRepository();
  const messages = new MessageRepository();
  const members = new MemberRepository();
  const answers = new AnswerRepository();
  const previews = new ConversationPreviewRepository();
  const answerer = new Answerer({ settings, keyring, models, search, log });
  const remarkAnswerer = new RemarkAnswerer({ answerer, clock });
  const feed = new ConversationFeed({ databaseUrl: settings.databaseUrl, log });
  const playground = new PlaygroundService({ bots, remarkAnswerer, models, keyring, tokens });
  const inboxRows = new InboxRepository();
  const handoffs = new HandoffService({ conversations, bots, messages, outbox, clock });
  const { flows, flowWaits, flowContacts, sessions } = createFlowRunning(deps, {
    bots,
    conversations,
    contacts,
    messages,
    answers,
    answerer,
    remarkAnswerer,
    outbox,
    calendar: flowCalendar,
  });
  const writer = new TurnWriter(
    {
      database,
      turns: new TurnRepository(),
      messages,
      analytics: new AnalyticsRepository(),
      outbox,
      conversations,
      sessions,
      contacts: flowContacts,
      handoffs,
      quota,
    },
    ANSWER_LEASE_SECONDS,
  );
  const widget = new WidgetService({
    bots,
    conversations,
    contacts,
    members,
    messages,
    identities: new IdentityService({ bookings, contacts, outbox, keyring, clock }),
    handoffs,
    inbox: inboxRows,
    replyTimes: new ReplyTimes({ handoffs: new HandoffWaitRepository(), clock }),
    writer: new ConversationWriter({ database, starts: new ConversationStartRepository(), outbox }),
    outbox,
    keyring,
    settings,
    clock,
    contentKeys,
  });
  const answerRunner = new AnswerRunner({
    database,
    bots,
    tokens,
    messages,
    answers,
    writer,
    remarkAnswerer,
    flows,
    feed,
    contentKeys,
    log,
  });
  const turns = new TurnService({
    database,
    bots,
    messages,
    answers,
    writer,
    answerer,
    runner: answerRunner,
    learning: new ContactLearning({ conversations, contacts, messages, outbox }),
    contentKeys,
    log,
  });
  const inbox = new InboxService({
    replyMails,
    conversations,
    inbox: inboxRows,
    contacts,
    answers,
    previews,
    messages,
    members,
    writer,
    answerRunner,
    keyring,
    clock,
  });
  const fileRows = new ConversationFileRepository();
  const fileRemoval = new ConversationFileRemoval({ rows: fileRows, conversations, outbox });
  const visitors = new VisitorRepository(settings.visitorTokenSeconds);
  const searches = new TextSearches(settings);
  return {
    conversations: new ConversationService({
      conversations,
      contacts,
      previews,
      messages,
      outbox,
      searches,
      keyring,
      fileRemoval,
    }),
    enrichment: new EnrichmentService({
      settings,
      keyring,
      models,
      bots,
      conversations,
      contacts,
      messages,
      outbox,
      tokens,
    }),
    contacts: new ContactService({ bookings, contacts, outbox, keyring, searches }),
    erasure: new ErasureService({
      bookings: new BookingErasure({ bookings, writer: new BookingWriter({ bookings, outbox }), clock }),
      contacts,
      fileRemoval,
      erasure: new ErasureRepository(),
      responses: new IdempotencyRepository(),
      toolInvocations: new ToolInvocationRepository(),
      erased,
      archiveJobs: new ArchiveJobRepository(),
      outbox,
      keyring,
    }),
    leads: new LeadService({ bots, conversations, contacts, messages, outbox }),
    visitors,
    feed,
    handoffs,
    flowWaits,
    visitorEvents: new VisitorEvents({ database, feed, messages, visitors, widget, settings }),
    inbox,
    inboxEvents: new InboxEvents({ feed, inbox }),
    notes: new ConversationNoteService({
      notes: new ConversationNoteRepository(),
      conversations,
      members,
      notices: new NoticeRepository(),
      mail,
      mails: new MailRepository(),
      keyring,
      settings,
    }),
    answerRatings: new AnswerRatingService({
      ratings: new AnswerRatingRepository(),
      messages,
      conversations,
      keyring,
      clock,
    }),
    fileRemoval,
    files: new ConversationFileService({
      rows: fileRows,
      conversations,
      bots,
      content: conversationFileContent,
      removal: fileRemoval,
      outdatedUploads,
      inbox,
      keyring,
      clock,
      log,
      settings,
    }),
    savedReplies: new SavedReplyService({ savedReplies: new SavedReplyRepository(), keyring }),
    widget,
    idleConversations: new IdleConversations({
      conversations: new IdleConversationRepository(),
      messages,
      outbox,
      settings,
    }),
    playground,
    answerDrafts: new AnswerDraftService({ bots, conversations, messages, search, playground }),
    turns,
    answerRunner,
  };
}
