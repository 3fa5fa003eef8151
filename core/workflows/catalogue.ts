/** How often, and its line in the lists of Temporal's UI. Its id begins with the prefix of the task queues. */
interface Schedule {
  every: '1m' | '5m' | '10m' | '1h';
  id: string;
  summary: string;
}

interface WorkflowEntry {
  /** Format for operators: `ingest/<document>/<revision>`. */
  ids: readonly string[];
  does: string;
  /** Schedule of workflows that the clock starts; commands of the outbox start the others. */
  schedule?: Schedule;
}

/**
 * Every workflow. Types, what the outbox may ask for, the schedules and the table of docs/operating.md come from it; one that is
 * here and not in workflows/index.ts, or the other way round, does not compile.
 */
export const workflowCatalogue = {
  ingestDocument: {
    ids: ['ingest/<document>/<revision>'],
    does: 'Fetches, reads and indexes a document',
  },
  crawlSite: {
    ids: ['crawl/<document>/<revision>'],
    does: 'Reads a sitemap, or follows the links of a site without one, and indexes the pages in batches; shows each with its counts or why it failed, and what was removed. A page that a batch has no time for is a child',
  },
  refreshDocument: {
    ids: ['refresh/<document>-<time>'],
    does: 'Reads a page or a site again, as the schedule `refresh/<document>` says; the indexing is its child, and is what one asked for by hand would be',
  },
  scheduleRefreshes: {
    ids: ['schedule-refreshes/<bot>'],
    does: 'Makes, changes, pauses or removes the schedules `refresh/<document>` of a bot; started by hand it looks at all of them',
  },
  deleteDocument: {
    ids: ['delete-document/<document>'],
    does: 'Stops what works on a deleted document and removes its files',
  },
  deleteFile: {
    ids: ['delete-file/<avatar>'],
    does: 'Removes an avatar that was replaced',
  },
  embedBot: {
    ids: ['embed-bot/<bot>'],
    does: 'Embeds all of a bot’s passages with another model, next to the current vectors, and then switches search to them; its details count the documents, and say why it waits',
  },
  generateBot: {
    ids: ['generate-bot/<generation>'],
    does: 'Reads a few pages of a website and drafts a bot by the model, or by rules; its details count pages and tokens, and say why the model failed. The waiting request creates the bot',
  },
  enrichConversation: {
    ids: ['enrich/<conversation>/<end>', 'extract-fields/<conversation>'],
    does: 'Reads a conversation that has ended, or is to be read again; its details say by which model, what it cost in tokens, and why a model failed',
  },
  flowWait: {
    ids: ['flow-wait/<conversation>/<wait>'],
    does: 'Gives a visitor the time that a question of a flow has (`timeout_minutes`); then the flow goes on, unless an answer came. Its details say until when it waits',
  },
  booking: {
    ids: ['booking/<booking>'],
    does: 'Follows a booking: has the calendar follow, mails attendee and team, reminds a day before, and ends with it; its details say why the calendar does not follow, and when it is tried again',
  },
  eraseContact: {
    ids: ['erase-contact/<contact>'],
    does: "Removes the copies of an erased contact from the webhooks' log and stored answers",
  },
  sendEmail: {
    ids: ['email/<mail>'],
    does: 'Hands a mail to the mail server, and tries again',
  },
  notifyLead: {
    ids: ['notify-lead/<contact>/<conversation>'],
    does: 'Queues the mails about contact details that were left in a conversation',
  },
  mailVisitor: {
    ids: ['mail-visitor/<message>'],
    does: 'Gives a visitor time to come back, then mails what the team wrote meanwhile',
  },
  notifyHandoff: {
    ids: ['notify-handoff/<conversation>/<request>'],
    does: 'Queues the mails about a visitor who waits for a person',
  },
  notifyWebhookDisabled: {
    ids: ['notify-webhook-disabled/<endpoint>/<time>'],
    does: 'Queues the mails about a disabled endpoint',
  },
  sendAlert: {
    ids: ['alert/<policy>'],
    does: 'Sends a policy’s alerts to a messaging app: groups alerts into messages, applies the daily cap, retries while the provider is unavailable; its details show attempts and reasons, without names',
  },
  receiveTelegram: {
    ids: ['telegram-updates/<bot>'],
    does: 'Polls Telegram for opened links to the bot, while a link is pending',
  },
  purgeBot: {
    ids: ['purge-bot/<bot>'],
    does: 'Removes everything of a deleted bot, its webhooks included',
  },
  purgeWebhook: {
    ids: ['purge-webhook/<endpoint>'],
    does: 'Removes the log of a deleted endpoint in batches, then the endpoint; both are already hidden',
  },
  webhookDelivery: {
    ids: ['webhook-delivery/<delivery>'],
    does: 'Takes over a webhook whose first attempt failed: retries it, then waits for a replay',
  },
  sendDigest: {
    ids: ['digest/<policy>/<date>'],
    does: 'Sums up for an alert policy what has happened since its last digest, and what was held back; its details say the period, the counts, and why nothing was sent. Signals: `retryNow`, `skip`',
  },
  digestMail: {
    ids: ['digest-mail/<user>/<Monday>'],
    does: 'Mails a user the weekly report on their workspaces, unless nothing has happened',
  },
  sweepAlerts: {
    ids: ['<prefix>/sweep-alerts-<time>'],
    does: 'Starts the digests and the weekly mails that are due, every minute',
    schedule: { every: '1m', id: 'sweep-alerts', summary: 'Start digests and weekly mails that are due' },
  },
  sweepDocuments: {
    ids: ['<prefix>/sweep-documents-<time>'],
    does: 'Re-indexes the documents whose workflow was lost',
    schedule: {
      every: '5m',
      id: 'sweep-documents',
      summary: 'Re-index the documents whose workflow was lost',
    },
  },
  sweepConversations: {
    ids: ['<prefix>/sweep-conversations-<time>'],
    does: 'Ends conversations without a message for 30 minutes, and handoffs without one for a day, every five minutes',
    schedule: { every: '5m', id: 'sweep-conversations', summary: 'End conversations that have been idle' },
  },
  sweepNotices: {
    ids: ['<prefix>/sweep-notices-<time>'],
    does: 'Queues the mails about failed documents, used months and gathered changes of access, every five minutes',
    schedule: {
      every: '5m',
      id: 'sweep-notices',
      summary: 'Mail teams of failed documents, used months and changes of access',
    },
  },
  sweepUsage: {
    ids: ['<prefix>/sweep-usage-<time>'],
    does: 'Adds up what was used, by day, bot and model, and queues the mails about plans that come to the end of their month, every minute',
    schedule: { every: '1m', id: 'sweep-usage', summary: 'Add up what was used, mail those near a limit' },
  },
  syncCalendar: {
    ids: ['calendar-sync/<connection>'],
    does: 'Reads when the calendars of a workspace are busy, and follows meetings that their owner has moved or deleted there; its details say what was found, or why the provider could not be asked and when it is asked again',
  },
  disconnectCalendar: {
    ids: ['disconnect-calendar/<connection>'],
    does: 'Revokes the access to a calendar at its provider, retrying for a day at most, and removes its data',
  },
  sweepCalendars: {
    ids: ['<prefix>/sweep-calendars-<time>'],
    does: 'Has calendars read again: after 15 minutes while slots are asked for, else after six hours',
    schedule: { every: '5m', id: 'sweep-calendars', summary: 'Have calendars read again that are due' },
  },
  sweepBookings: {
    ids: ['<prefix>/sweep-bookings-<time>'],
    does: 'Restarts the workflows of bookings that were due five minutes ago, in case their workflow was lost',
    schedule: { every: '5m', id: 'sweep-bookings', summary: 'Follow bookings that no workflow follows' },
  },
  sweepDeliveries: {
    ids: ['<prefix>/sweep-deliveries-<time>'],
    does: 'Resumes webhook retries that are overdue by five minutes, in case their workflow was lost',
    schedule: {
      every: '5m',
      id: 'sweep-deliveries',
      summary: 'Take up webhook retries that no workflow makes',
    },
  },
  foldCounts: {
    ids: ['<prefix>/fold-counts-<time>'],
    does: 'Makes sums of the deltas that figures of analytics are kept by, every minute; figures are exact before and after',
    schedule: {
      every: '1m',
      id: 'fold-counts',
      summary: 'Make sums of the deltas that figures are kept by',
    },
  },
  purgeExpired: {
    ids: ['<prefix>/purge-expired-<time>'],
    does: 'Deletes rows past the age that [this table](#how-long-rows-are-kept) names, every hour',
    schedule: {
      every: '1h',
      id: 'purge-expired',
      summary: 'Remove what has expired: kept answers, counts, logs',
    },
  },
  groupQuestions: {
    ids: ['<prefix>/group-questions-<time>'],
    does: 'Groups what visitors ask, every five minutes: reads the messages that were answered since; its details count messages, questions and clusters, without text',
    schedule: { every: '5m', id: 'group-questions', summary: 'Group what visitors have asked' },
  },
  checkout: {
    ids: ['checkout/<checkout>'],
    does: 'Waits until a checkout is paid or its time is over, and sees to what was bought; its details say where it stands. Signals: `event`',
  },
  reseal: {
    ids: ['reseal/<workspace>'],
    does: 'Seals all content of a workspace, or opens it, after a switch of its encryption or a rotation of its key, beside whatever goes on; its details count the rows. It waits while the key is out of reach. Once all is sealed, it rewrites the tables, and its details name the one that waits and why. Signals: `changed`, `rewrite`',
  },
  sweepSealing: {
    ids: ['<prefix>/sweep-sealing-<time>'],
    does: 'Has the content of workspaces without a key of their own sealed, or opened again, as `PARLEY_SEAL_CONTENT` says, every five minutes: starts `reseal` for those that are kept in another way, 20 at once. Its details count those begun and those waiting',
    schedule: {
      every: '5m',
      id: 'sweep-sealing',
      summary: 'Have content kept as PARLEY_SEAL_CONTENT says',
    },
  },
  checkKeyServices: {
    ids: ['<prefix>/check-key-services-<time>'],
    does: 'Asks the key services of workspaces for their keys, every ten minutes: mails owners when a key is refused, its service has been silent for five minutes, or all is well again; renews Vault tokens. Its details have counts only, without names',
    schedule: {
      every: '10m',
      id: 'check-key-services',
      summary: 'Ask key services, and tell owners of news',
    },
  },
  syncBilling: {
    ids: ['billing/<workspace>'],
    does: 'Takes over what the payment provider says of a payer: subscription, top-ups, receipts with their files; gives it the billing profile. Its details say why it waits. Signals: `changed`, `profile`',
  },
  sweepBilling: {
    ids: ['<prefix>/sweep-billing-<time>'],
    does: 'Compares payers with the payment provider, hourly if they pay and daily otherwise; resumes events and checkouts without a workflow',
    schedule: {
      every: '1h',
      id: 'sweep-billing',
      summary: 'Have payers compared with the payment provider',
    },
  },
  exportArchive: {
    ids: ['archive/<job>'],
    does: 'Exports conversations as an archive: stores them file by file, then puts the parts together; goes on where it was after an outage, and gives up after a day. Its details say how many there were, or why it failed',
  },
  importArchive: {
    ids: ['archive/<job>'],
    does: 'Looks at all of an uploaded archive, then writes the conversations that are not here, in batches; goes on where it was. Its details count them, or say why it failed',
  },
  sweepArchives: {
    ids: ['<prefix>/sweep-archives-<time>'],
    does: 'Removes the files of exports after seven days, jobs after 30, and uploads that no job took over, every hour; starts the workflow of an unfinished job that has lost it',
    schedule: {
      every: '1h',
      id: 'sweep-archives',
      summary: 'Remove files of archives whose time is over, and have lost jobs go on',
    },
  },
  sendAccountMail: {
    ids: ['account-mail/<request>'],
    does: 'Mails an address that was entered in a form, if it has an account',
  },
  deleteAccount: {
    ids: ['delete-account/<user>'],
    does: 'Removes an account that was closed',
  },
  deleteOrg: {
    ids: ['delete-org/<workspace>'],
    does: 'Ends the subscription of a deleted workspace, then removes everything that it has, its bots as children; waits for the access to its calendar to be given up',
  },
  invitation: {
    ids: ['invitation/<invitation>'],
    does: 'Mails an invitation, reminds of it once, and ends it when its time is over',
  },
} as const satisfies Record<string, WorkflowEntry>;

type Catalogue = typeof workflowCatalogue;
export type WorkflowName = keyof Catalogue;
/** Started by the clock. */
type ScheduledWorkflow = {
  [N in WorkflowName]: Catalogue[N] extends { schedule: Schedule } ? N : never;
}[WorkflowName];
/** Started by commands of the outbox. */
export type CommandedWorkflow = Exclude<WorkflowName, ScheduledWorkflow>;

const entries: Record<string, WorkflowEntry> = workflowCatalogue;

export function isCommanded(name: string): name is CommandedWorkflow {
  return Object.hasOwn(entries, name) && entries[name]?.schedule === undefined;
}

export function scheduledWorkflows(): (Schedule & { workflow: string })[] {
  return Object.entries(entries).flatMap(([workflow, { schedule }]) =>
    schedule ? [{ workflow, ...schedule }] : [],
  );
}
