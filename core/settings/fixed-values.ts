/**
 * Values that no environment variable sets, because no operator would turn them. They are parts of `Settings` so that tests
 * can start a Parley with others: shorter waits, and limits that few rows reach.
 */
export const fixedValues = {
  // Limits. 0 admits any number wherever requests, attempts or messages are counted.

  /** Requests of one API key or visitor’s session in a minute. Undefined: as many as its workspace has. */
  principalRateLimitPerMinute: undefined as number | undefined,
  /** Open event streams of a visitor’s session at one API process: as many tabs as people have; the oldest is closed for another. */
  streamsPerSession: 5,
  /** Bytes of long responses that one payer, or one address of visitors, may leave unread at an API process: four of the longest pages. */
  unreadBytesPerCaller: 64 * 1024 * 1024,
  /** Bytes that all callers together may leave unread at an API process: the spare memory of an ordinary process. */
  unreadBytes: 256 * 1024 * 1024,
  /** Percentage of a bot’s messages in a minute that one conversation may send: a third is left to the others. */
  sessionSharePercent: 67,
  /** Share for one network address: an office may send almost all messages, but cannot block the bot for others. */
  addressSharePercent: 90,
  /** Attempts to sign in to one account in 15 minutes without delay: more than a person needs who has forgotten a password. */
  signInLimitPerAccount: 10,
  /** Wrong codes of one account in a day: at a million codes, guessing one takes lifetimes. */
  wrongCodesPerDay: 30,
  /** Failed sign-ins of one account in an hour that audit logs record: an attack shows, and does not fill the log. */
  recordedFailuresPerHour: 10,
  /** Wrong tries after which a mailed sign-in code expires. */
  signInCodeTries: 5,
  /** Invitations of one workspace in 24 hours: teams join within it, and a stolen account cannot mail strangers in bulk. */
  invitationsPerDay: 100,
  /** Limit for one person in all workspaces, since a person can create more workspaces. */
  invitationsPerPerson: 300,
  /** Bots that one workspace, and one account, may have generated in an hour: each costs a crawl and a call of a model. */
  generationsPerHour: 60,
  /** Time in milliseconds for the website and the model of a generated bot: as long as people wait for a form. */
  generationTimeoutMs: 30_000,
  /** Versions that are kept of a bot: months of daily work. The oldest without a note go first. */
  botVersionsKept: 200,
  /** Flows of a bot: each visitor’s message is compared with the triggers of all of them. */
  flowsPerBot: 50,
  /** Graphs that are kept of a flow, besides those that conversations are in. */
  flowRevisionsKept: 20,
  /** Milliseconds in a minute of `timeout_minutes`; tests shorten it. */
  flowMinuteMs: 60_000,
  /** Time in seconds of one search for a text: it holds a connection of the database meanwhile. */
  searchSeconds: 10,
  /** Time in milliseconds for a web page to arrive, redirects included: less than the activity that fetches it has. */
  pageFetchMs: 60_000,
  /** Time in milliseconds for a whole request to arrive: 25 MB take it at 0.7 Mbit/s. */
  requestTimeoutMs: 300_000,
  /** Basic limit of the CPU time for reading a document, in milliseconds. Each megabyte adds to it. */
  readingBaseMs: 10_000,
  /** Processor time in milliseconds for reading the largest document: less than its activity has. */
  readingMaxMs: 60_000,

  // Lifetimes.

  /** Seconds until an access token expires; a session that ends stops it at once. */
  accessTokenSeconds: 900,
  /** Seconds to enter the code of the second factor after the first one. */
  mfaChallengeSeconds: 300,
  /** Seconds until a mailed sign-in code expires: slow mail servers deliver within it. */
  signInCodeSeconds: 600,
  /** Seconds until a mailed link to set a new password expires. */
  resetLinkSeconds: 1800,
  /** Seconds until a mailed link to confirm an address expires: it gives no access. */
  verifyLinkSeconds: 86_400,
  /** Seconds to come back from an identity provider, where people may have to find a second factor. */
  identityAttemptSeconds: 600,
  /** Days until the link of an invitation expires, counted from its mail: a week has everybody’s working days. */
  invitationDays: 7,
  /** Days until an invitation that is not accepted is mailed once more. */
  invitationReminderDays: 3,
  /** Seconds after its last use until a visitor’s token expires; a page with the widget renews it. */
  visitorTokenSeconds: 1800,
  /** Seconds without a message until a conversation with the bot ends, unless a flow gives more time. */
  conversationIdleSeconds: 1800,
  /** Seconds until a link to download a document’s original expires: it needs no credentials. */
  fileLinkSeconds: 300,
  /** Seconds that each step of an export or import waits for storage that is away: a day, in which people mend it. */
  archivePatienceSeconds: 86_400,

  // Bookings of visitors. They hold a team’s time, so that strangers get little of it.

  /** Days ahead for which slots are offered: busy times of a quarter are read in one request. */
  bookingHorizonDays: 90,
  /** Bookings from one network address in an hour. */
  bookingsPerHour: 5,
  /** Bookings from one network address in a day, cancelled ones included. */
  bookingsPerDay: 20,
  /** Future bookings of one e-mail address in a workspace. */
  bookingsPerAttendee: 3,
  /** Bookings for one e-mail address in a workspace in a day, cancelled ones included: each sends it mails. */
  bookingsPerAttendeeDay: 6,
  /** Mails about bookings that one person of the team gets in 24 hours; the last one says so. */
  bookingMailsPerDay: 50,

  // Calendars. Google has one API; tests have a server in its place.

  googleAuthUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  googleTokenUrl: 'https://oauth2.googleapis.com/token',
  googleRevokeUrl: 'https://oauth2.googleapis.com/revoke',
  googleApiUrl: 'https://www.googleapis.com/calendar/v3',
  /** Milliseconds to wait for each response of a calendar’s provider: CalDAV servers at home are slow. */
  calendarTimeoutMs: 15_000,

  // Webhooks. Receivers read these in the documentation of the API, so that they are the same everywhere.

  /** Milliseconds of one attempt: receivers that work before they respond need seconds. */
  webhookTimeoutMs: 15_000,
  /** Pauses in seconds before the second and each further attempt: more than a day in all. `none` for one attempt. */
  webhookRetrySchedule: '5,300,1800,7200,18000,36000,36000',
  /** Hours of failures alone until an endpoint is disabled: a long weekend is less. */
  webhookDisableHours: 120,
  /** Failures in a row before which no endpoint is disabled, however rare its events are. */
  webhookDisableFailures: 20,
  /** Hours that the workflow of a failed delivery waits for an operator to replay it. */
  webhookParkingHours: 72,

  // Alerts.

  telegramApiUrl: 'https://api.telegram.org',
  /** Milliseconds of one attempt to send a message: with what precedes it, less than the 20 s of its activity. */
  alertSendTimeoutMs: 10_000,
  /** Milliseconds that a person waits for the outcome of a test or a code. */
  alertSettleMs: 16_000,
  /** Messages that a worker sends to each app at once; a workspace alone has half, and as many again are kept for others. */
  alertPlaces: 16,
  /** Codes in an hour that one workspace, and one account, may have sent to destinations: they reach strangers’ phones. */
  alertCodesPerHour: 10,
  /**
   * Milliseconds between two messages of a policy with something critical among them, those that other alerts wait for company,
   * and those between two of them: a phone that rings all day is muted.
   */
  alertPauses: '3000,10000,30000',

  // Billing.

  stripeApiUrl: 'https://api.stripe.com',
  /** Milliseconds of one request to Stripe; one that fails is sent up to three times while a person waits. */
  stripeTimeoutMs: 6000,

  // Encryption.

  /** Seconds until a workspace’s key service is asked again: a withdrawn key stops the workspace within five minutes. */
  tenantKeyCacheSeconds: 300,

  // Models and embeddings.

  /** Milliseconds that a model may be silent before or between tokens. */
  modelFirstTokenTimeoutMs: 30_000,
  /** Milliseconds for a model to complete a question that refers to earlier ones; then words of earlier turns are added. 0: always. */
  questionRewriteMs: 1000,
  /** Texts in one request for vectors: every endpoint takes as many. */
  embeddingBatch: 32,
  /** Milliseconds of one request for vectors of passages; then it is sent again. */
  embeddingTimeoutMs: 30_000,
  /** Milliseconds for the vector of a question; then the search goes by words alone. The visitor waits for it. */
  embeddingQuestionMs: 300,
  /** Milliseconds for the re-ranker; then passages stay in the order of the search. The visitor waits for it. */
  rerankMs: 300,
  /** Passages that the re-ranker gets: further ones are rarely the best. */
  rerankPassages: 20,

  // Mail.

  /** Milliseconds for each response of the SMTP server. */
  smtpTimeoutMs: 20_000,
  /** Pauses in seconds before the second and each further attempt: two days in all, as mail servers do. `none` for one attempt. */
  mailRetrySchedule: '5,30,120,600,1800,7200,21600,43200,86400',
  /** Seconds that an absent visitor has to come back before the team’s reply is mailed. */
  replyMailAfterSeconds: 120,
  /** Mails to the visitor of one conversation, who may have given another person’s address. */
  replyMailsPerConversation: 5,

  // Processes.

  /** Milliseconds between comments that keep event streams open: proxies close silent ones after 30 s or more. */
  streamHeartbeatMs: 15_000,
  /** Milliseconds until an event stream is closed; its reader opens another, perhaps at another process. */
  streamLongestMs: 3_600_000,
  /** Whether responses that do not fit their schema become 500, which tests want. */
  checkResponses: false,
};

export type FixedValues = typeof fixedValues;
