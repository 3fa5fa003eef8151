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
  /** Percentage of a bot’s messages in a minute that one conversation may send: a third is left to the others. */
  sessionSharePercent: 67,
  /** The same for one network address: an office may send nearly all, and cannot silence the bot for the others. */
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
  /** The same for one person in all workspaces, because anybody can make further workspaces. */
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
  /** Processor time in milliseconds for reading a document of any size; its megabytes add to it. */
  readingBaseMs: 10_000,
  /** Processor time in milliseconds for reading the largest document: less than its activity has. */
  readingMaxMs: 60_000,
};

export type FixedValues = typeof fixedValues;
