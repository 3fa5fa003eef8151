/**
 * Values that operators have no reason to change, so no environment variable sets them. `Settings` contains
 * these values, so that tests can start Parley with shorter waits and lower limits.
 */
export const fixedValues = {
  // Limits. For counts of requests, attempts and messages, 0 means no limit.

  /**
   * Maximum number of requests per minute with one API key or in one visitor's session. If undefined, only the
   * limit of the workspace applies.
   */
  principalRateLimitPerMinute: undefined as number | undefined,
  /** Maximum size in bytes of a file that a visitor or an agent sends in a conversation. */
  conversationFileBytes: 10 * 1024 * 1024,
  /** Maximum number of files in one message of a visitor. */
  filesPerMessage: 5,
  /** Maximum number of files that a visitor may send in one conversation, and that agents may send in it. */
  filesPerConversation: 20,
  /**
   * Maximum number of files that visitors may send from one network address in an hour. All people of an
   * office share one address.
   */
  visitorFilesPerHour: 100,
  /**
   * Maximum number of open event streams of a visitor's session in one API process, one for each browser tab.
   * A further stream closes the oldest stream.
   */
  streamsPerSession: 5,
  /**
   * Maximum number of bytes of long responses that one payer, or one visitor's address, has not yet read from
   * an API process. Large enough for four of the longest pages.
   */
  unreadBytesPerCaller: 64 * 1024 * 1024,
  /**
   * Maximum number of bytes of long responses that all callers together have not yet read from an API process.
   * They fit into the spare memory of the process.
   */
  unreadBytes: 256 * 1024 * 1024,
  /**
   * Maximum number of long responses that an API process reads from the database at once, such as pages of
   * bots of up to 100 MB. One workspace can use half of these slots. Visitors have the same number of separate
   * slots.
   */
  longReadSlots: 4,
  /** Milliseconds that a request for a long response waits for a slot before it is refused. */
  longReadWaitMs: 10_000,
  /**
   * Maximum percentage of a bot's messages in a minute that one conversation may send. The remaining messages
   * are reserved for other conversations.
   */
  sessionSharePercent: 67,
  /**
   * Maximum percentage of a bot's messages in a minute that one network address may send. All people of an
   * office share one address, which must not block the bot for everyone else.
   */
  addressSharePercent: 90,
  /**
   * Number of sign-in attempts for one account in 15 minutes before further attempts are delayed. People who
   * have forgotten a password need fewer attempts.
   */
  signInLimitPerAccount: 10,
  /**
   * Maximum number of wrong sign-in codes for one account in a day. At this rate, guessing one of a million
   * codes takes decades.
   */
  wrongCodesPerDay: 30,
  /**
   * Maximum number of failed sign-ins of one account in an hour that are written to audit logs: enough to show
   * an attack without filling the log.
   */
  recordedFailuresPerHour: 10,
  /** Number of wrong guesses after which an emailed sign-in code expires. */
  signInCodeTries: 5,
  /**
   * Maximum number of invitations by one workspace in 24 hours. Enough for a team, and too few to email
   * strangers in bulk from a stolen account.
   */
  invitationsPerDay: 100,
  /**
   * Maximum number of invitations by one user in 24 hours, in all workspaces together, because a user can
   * create any number of workspaces.
   */
  invitationsPerPerson: 300,
  /**
   * Maximum number of bots that one workspace, and one account, may generate in an hour. Each generation costs
   * a crawl and a model call.
   */
  generationsPerHour: 60,
  /**
   * Milliseconds in which Parley reads the website and calls the model to generate a bot: as long as people
   * wait for a form.
   */
  generationTimeoutMs: 30_000,
  /**
   * Maximum number of versions that are stored for each bot, enough for months of daily work. When a bot
   * exceeds this number, its oldest versions without a note are deleted first.
   */
  botVersionsKept: 200,
  /** Maximum number of flows of a bot. Each visitor's message is compared with the triggers of all flows. */
  flowsPerBot: 50,
  /**
   * Number of latest graphs that are stored for each flow, in addition to graphs that running conversations
   * use.
   */
  flowRevisionsKept: 20,
  /** Length of a minute in a flow's `timeout_minutes`, in milliseconds; tests shorten it. */
  flowMinuteMs: 60_000,
  /** Maximum seconds that one text search may take, since it occupies a database connection. */
  searchSeconds: 10,
  /**
   * Maximum seconds that each statement of a search of documents may take, since a visitor waits for it. A
   * search of a million passages takes 0.05 s.
   */
  knowledgeSearchSeconds: 2,
  /**
   * Maximum milliseconds to fetch a web page, redirects included. Must be less than the timeout of the
   * activity that fetches the page.
   */
  pageFetchMs: 60_000,
  /** Maximum milliseconds in which the API receives a whole request: enough for 25 MB at 0.7 Mbit/s. */
  requestTimeoutMs: 300_000,
  /**
   * Maximum CPU time to read a small document, in milliseconds. The limit grows with each megabyte of the
   * document.
   */
  readingBaseMs: 10_000,
  /**
   * Maximum CPU time to read a document of any size, in milliseconds. Must be less than the timeout of the
   * activity that reads the document.
   */
  readingMaxMs: 60_000,
  /**
   * Milliseconds after which the recognition of scanned pages may lose its slot to another payer. Five ordinary pages
   * are recognized within this time.
   */
  recognitionTurnMs: 30_000,

  // Lifetimes of tokens, links and sessions.

  /** Seconds until an access token expires. The token expires earlier if its session ends. */
  accessTokenSeconds: 900,
  /** Seconds after the password in which a person must enter the second factor's code at sign-in. */
  mfaChallengeSeconds: 300,
  /** Seconds until an emailed sign-in code expires. Slow mail servers deliver within this time. */
  signInCodeSeconds: 600,
  /** Seconds until an emailed link to set a new password expires. */
  resetLinkSeconds: 1800,
  /**
   * Seconds until an emailed link that confirms an address expires. The time may be long, because the link
   * gives no access.
   */
  verifyLinkSeconds: 86_400,
  /** Seconds until the link that sets up the first owner expires; each `npm start` prints a new link. */
  firstRunLinkSeconds: 604_800,
  /**
   * Seconds in which a person must sign in at an external identity provider, where people may have to look for
   * a second factor.
   */
  identityAttemptSeconds: 600,
  /** Seconds in which a person must approve a device login: enough to sign in with a second factor. */
  deviceLoginSeconds: 600,
  /**
   * Minimum number of seconds between two requests with which a device asks whether its login was approved, as
   * in RFC 8628.
   */
  devicePollSeconds: 5,
  /**
   * Days until the link of an invitation expires, counted from its email. A week includes everybody's working
   * days.
   */
  invitationDays: 7,
  /** Days until an invitation that was not accepted is emailed once more. */
  invitationReminderDays: 3,
  /**
   * Seconds after its last use until a visitor's token expires. A page that is open and shows the widget
   * renews the token.
   */
  visitorTokenSeconds: 1800,
  /** Seconds without a message until a conversation with the bot ends, unless a flow grants more time. */
  conversationIdleSeconds: 1800,
  /**
   * Seconds until a link to a document's original expires. The time is short, because the link works without
   * credentials.
   */
  fileLinkSeconds: 300,
  /**
   * Seconds for which each step of an export or import is retried while file storage is unavailable. Operators
   * can repair storage within a day.
   */
  archivePatienceSeconds: 86_400,

  // Visitors' bookings. Bookings block a team's time, so the limits for strangers are low.

  /**
   * Number of days ahead for which free meeting times are offered. One request to a calendar can read the busy
   * times of about a quarter of a year.
   */
  bookingHorizonDays: 90,
  /** Maximum number of visitors' bookings from one network address in an hour. */
  bookingsPerHour: 5,
  /** Maximum number of visitors' bookings from one network address in a day, including canceled bookings. */
  bookingsPerDay: 20,
  /** Maximum number of future bookings of one email address in a workspace. */
  bookingsPerAttendee: 3,
  /**
   * Maximum number of bookings of one email address in a workspace in a day, including canceled bookings: each
   * sends emails to the address.
   */
  bookingsPerAttendeeDay: 6,
  /**
   * Maximum number of emails about bookings to one member of the team in 24 hours. The last email mentions
   * that the limit is reached.
   */
  bookingMailsPerDay: 50,
  /**
   * Maximum number of emails about waiting visitors, leads and mentions in notes to one member of a workspace
   * in 24 hours. Strangers and colleagues trigger these emails. The last email mentions that the limit is
   * reached.
   */
  noticeMailsPerDay: 100,

  // Calendars. Google's URLs are the same for all installations; tests replace these URLs with those of a
  // local server.

  googleAuthUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  googleTokenUrl: 'https://oauth2.googleapis.com/token',
  googleRevokeUrl: 'https://oauth2.googleapis.com/revoke',
  googleApiUrl: 'https://www.googleapis.com/calendar/v3',
  /**
   * Milliseconds to wait for each response of a calendar provider. Self-hosted CalDAV servers may be slow.
   */
  calendarTimeoutMs: 15_000,

  // Webhooks. The API's documentation states these values, so they are the same in all installations.

  /**
   * Timeout of one attempt to deliver a webhook event, in milliseconds. Receivers that process an event before
   * they respond need several seconds.
   */
  webhookTimeoutMs: 15_000,
  /**
   * Seconds to wait before each retry of a webhook delivery, more than a day in total. `none`: a single
   * attempt.
   */
  webhookRetrySchedule: '5,300,1800,7200,18000,36000,36000',
  /**
   * Hours for which all attempts must fail before a webhook endpoint is disabled: longer than a long weekend.
   */
  webhookDisableHours: 120,
  /**
   * Minimum number of consecutive failures before a webhook endpoint is disabled, for endpoints with few
   * events.
   */
  webhookDisableFailures: 20,
  /** Hours in which an operator can replay a failed webhook delivery until the delivery's workflow ends. */
  webhookParkingHours: 72,

  // Settings of alerts in messaging apps.

  telegramApiUrl: 'https://api.telegram.org',
  /** URL of Meta's Graph API. For an expired version, Meta uses the oldest version that it supports. */
  whatsappApiUrl: 'https://graph.facebook.com/v23.0',
  /**
   * Timeout of one attempt to send an alert message, in milliseconds. Together with the preceding waits, it
   * must stay below the activity's timeout of 20 s.
   */
  alertSendTimeoutMs: 10_000,
  /**
   * Milliseconds for which the API waits for the outcome of a test message or a verification code to an alert
   * destination.
   */
  alertSettleMs: 16_000,
  /**
   * Maximum number of alert messages that a worker sends at once to each messaging app. As many further slots
   * are reserved for workspaces without a slot, each of which can use one.
   */
  alertSlots: 16,
  /**
   * Maximum number of verification codes that one workspace, and one account, may send in an hour. The number
   * is limited because codes reach strangers' phones.
   */
  alertCodesPerHour: 10,
  /**
   * Times in milliseconds for the messages of an alert policy. The first is the minimum pause before a
   * critical message. The second is how long other alerts are collected into one message, and the third the
   * minimum pause before such a message. Frequent messages would make people mute the chat.
   */
  alertPauses: '3000,10000,30000',

  // Settings of payments by Stripe.

  stripeApiUrl: 'https://api.stripe.com',
  /**
   * Timeout of one request to Stripe, in milliseconds. A failed request for which a person waits is sent up
   * to three times.
   */
  stripeTimeoutMs: 6000,

  // Settings of the encryption of content.

  /**
   * Seconds for which an encryption key from a workspace's own key service is cached. Revoking the key
   * therefore takes effect within five minutes.
   */
  tenantKeyCacheSeconds: 300,

  // Settings of requests to language and embedding models.

  /** Maximum milliseconds that a language model may take before its first token, and between tokens. */
  modelFirstTokenTimeoutMs: 30_000,
  /**
   * Maximum milliseconds in which a model rewrites a question that refers to earlier questions. On a timeout,
   * Parley adds terms of earlier turns instead. With 0, Parley adds terms without asking the model.
   */
  questionRewriteMs: 1000,
  /**
   * Maximum milliseconds in which a strict bot's model judges which passages answer the question. On a
   * timeout, the relevance of the search decides.
   */
  passageJudgmentMs: 1500,
  /** Maximum number of texts in one request to an embedding model; all providers accept this many. */
  embeddingBatch: 32,
  /**
   * Timeout of one request that embeds passages of documents, in milliseconds. After a timeout, the request is
   * retried.
   */
  embeddingTimeoutMs: 30_000,
  /**
   * Maximum milliseconds in which a model embeds a visitor's question. On a timeout, the search uses words
   * only, since the visitor is waiting.
   */
  embeddingQuestionMs: 300,
  /**
   * Maximum milliseconds in which a model re-ranks the passages of a search. On a timeout, passages stay in
   * search order, since the visitor is waiting.
   */
  rerankMs: 300,
  /**
   * Maximum number of passages that are sent to the re-ranking model: a lower-ranked passage is rarely the
   * best.
   */
  rerankPassages: 20,

  // Settings of email.

  /** Milliseconds to wait for each response of the SMTP server. */
  smtpTimeoutMs: 20_000,
  /**
   * Seconds to wait before each retry of an email, two days in total as is usual for email. `none`: a single
   * attempt.
   */
  mailRetrySchedule: '5,30,120,600,1800,7200,21600,43200,86400',
  /** Seconds after the team's reply in which an absent visitor may return before the reply is emailed. */
  replyMailAfterSeconds: 120,
  /**
   * Maximum number of emails to the visitor in one conversation: the visitor may have entered another person's
   * address.
   */
  replyMailsPerConversation: 5,

  // Settings of event streams and responses of API processes.

  /**
   * Milliseconds between the comments that keep event streams open. Proxies close idle connections after 30 s
   * or more.
   */
  streamHeartbeatMs: 15_000,
  /** Maximum milliseconds until the server closes an event stream. The client then reconnects, perhaps to another
   * process. */
  streamMaxMs: 3_600_000,
  /** Whether a response of the API that violates its schema is replaced by a 500 error, for tests. */
  checkResponses: false,
};

export type FixedValues = typeof fixedValues;
