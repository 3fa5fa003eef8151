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
    does: 'Reads a website by its sitemap or links and indexes its pages in batches; details show each batch. A page that a batch has no time for is a child',
  },
  refreshDocument: {
    ids: ['refresh/<document>-<time>'],
    does: 'Reads a page or website again when the schedule `refresh/<document>` starts it; the indexing is its child',
  },
  scheduleRefreshes: {
    ids: ['schedule-refreshes/<bot>'],
    does: 'Creates, changes, pauses or removes the schedules `refresh/<document>` of a bot',
  },
  deleteDocument: {
    ids: ['delete-document/<document>'],
    does: 'Stops the workflows of a deleted document and removes its files',
  },
  deleteFile: {
    ids: ['delete-file/<avatar>'],
    does: 'Removes a replaced avatar',
  },
  embedBot: {
    ids: ['embed-bot/<bot>'],
    does: 'Embeds a bot’s passages with another model, then switches search to the new vectors; details count documents',
  },
  generateBot: {
    ids: ['generate-bot/<generation>'],
    does: 'Reads a few pages and drafts a bot by the model or by rules; the waiting request creates the bot. Details show tokens and errors of the model',
  },
  enrichConversation: {
    ids: ['enrich/<conversation>/<end>', 'extract-fields/<conversation>'],
    does: 'Reads a conversation that has ended or is read again; details show the model, its tokens and errors',
  },
  flowWait: {
    ids: ['flow-wait/<conversation>/<wait>'],
    does: 'Continues a flow when a question’s time (`timeout_minutes`) is over without an answer',
  },
  booking: {
    ids: ['booking/<booking>'],
    does: 'Updates the calendar, mails attendee and team, reminds a day before, and ends with the booking; details show calendar attempts',
  },
  eraseContact: {
    ids: ['erase-contact/<contact>'],
    does: 'Removes copies of an erased contact from webhook logs and stored answers',
  },
  sendEmail: {
    ids: ['email/<mail>'],
    does: 'Sends a mail, with retries',
  },
  notifyLead: {
    ids: ['notify-lead/<contact>/<conversation>'],
    does: 'Queues mails about contact details left in a conversation',
  },
  mailVisitor: {
    ids: ['mail-visitor/<message>'],
    does: 'Waits for a visitor to return, then mails the team’s replies',
  },
  notifyHandoff: {
    ids: ['notify-handoff/<conversation>/<request>'],
    does: 'Queues mails about a visitor who waits for a person',
  },
  notifyWebhookDisabled: {
    ids: ['notify-webhook-disabled/<endpoint>/<time>'],
    does: 'Queues mails about a disabled endpoint',
  },
  sendAlert: {
    ids: ['alert/<policy>'],
    does: 'Sends a policy’s alerts in grouped messages, with a daily cap and retries; details show attempts',
  },
  receiveTelegram: {
    ids: ['telegram-updates/<bot>'],
    does: 'Polls Telegram for opened links while one is pending',
  },
  purgeBot: {
    ids: ['purge-bot/<bot>'],
    does: 'Removes all data of a deleted bot, with its webhooks',
  },
  purgeWebhook: {
    ids: ['purge-webhook/<endpoint>'],
    does: 'Removes the log of a deleted endpoint in batches, then the endpoint',
  },
  webhookDelivery: {
    ids: ['webhook-delivery/<delivery>'],
    does: 'Retries a webhook whose first attempt failed, then waits for a replay',
  },
  sendDigest: {
    ids: ['digest/<policy>/<date>'],
    does: 'Sends a policy’s digest; details show period, counts and why nothing was sent. Signals: `retryNow`, `skip`',
  },
  digestMail: {
    ids: ['digest-mail/<user>/<Monday>'],
    does: 'Mails a user the weekly report on their workspaces, if anything happened',
  },
  sweepAlerts: {
    ids: ['<prefix>/sweep-alerts-<time>'],
    does: 'Starts due digests and weekly mails, every minute',
    schedule: { every: '1m', id: 'sweep-alerts', summary: 'Start digests and weekly mails that are due' },
  },
  sweepDocuments: {
    ids: ['<prefix>/sweep-documents-<time>'],
    does: 'Re-indexes documents whose workflow was lost',
    schedule: {
      every: '5m',
      id: 'sweep-documents',
      summary: 'Re-index the documents whose workflow was lost',
    },
  },
  sweepConversations: {
    ids: ['<prefix>/sweep-conversations-<time>'],
    does: 'Ends conversations without a message for 30 minutes, and handoffs after a day, every five minutes',
    schedule: { every: '5m', id: 'sweep-conversations', summary: 'End conversations that have been idle' },
  },
  sweepNotices: {
    ids: ['<prefix>/sweep-notices-<time>'],
    does: 'Queues mails about failed documents, used months and changes of access, every five minutes',
    schedule: {
      every: '5m',
      id: 'sweep-notices',
      summary: 'Mail teams of failed documents, used months and changes of access',
    },
  },
  sweepUsage: {
    ids: ['<prefix>/sweep-usage-<time>'],
    does: 'Sums usage by day, bot and model, and queues mails about plans near their limit, every minute',
    schedule: { every: '1m', id: 'sweep-usage', summary: 'Add up what was used, mail those near a limit' },
  },
  syncCalendar: {
    ids: ['calendar-sync/<connection>'],
    does: 'Reads busy times of a workspace’s calendars, and follows meetings moved or deleted there; details show results and the next attempt',
  },
  disconnectCalendar: {
    ids: ['disconnect-calendar/<connection>'],
    does: 'Revokes the access to a calendar at its provider, with retries for a day, and removes its data',
  },
  sweepCalendars: {
    ids: ['<prefix>/sweep-calendars-<time>'],
    does: 'Has calendars read after 15 minutes while slots are requested, otherwise after six hours',
    schedule: { every: '5m', id: 'sweep-calendars', summary: 'Have calendars read again that are due' },
  },
  sweepBookings: {
    ids: ['<prefix>/sweep-bookings-<time>'],
    does: 'Restarts lost workflows of bookings that were due five minutes ago',
    schedule: { every: '5m', id: 'sweep-bookings', summary: 'Follow bookings that no workflow follows' },
  },
  sweepDeliveries: {
    ids: ['<prefix>/sweep-deliveries-<time>'],
    does: 'Resumes webhook retries that are overdue by five minutes',
    schedule: {
      every: '5m',
      id: 'sweep-deliveries',
      summary: 'Take up webhook retries that no workflow makes',
    },
  },
  foldCounts: {
    ids: ['<prefix>/fold-counts-<time>'],
    does: 'Sums the deltas of analytics, every minute; figures stay exact',
    schedule: {
      every: '1m',
      id: 'fold-counts',
      summary: 'Make sums of the deltas that figures are kept by',
    },
  },
  purgeExpired: {
    ids: ['<prefix>/purge-expired-<time>'],
    does: 'Deletes rows past the age in [this table](#how-long-rows-are-kept), every hour',
    schedule: {
      every: '1h',
      id: 'purge-expired',
      summary: 'Remove what has expired: kept answers, counts, logs',
    },
  },
  groupQuestions: {
    ids: ['<prefix>/group-questions-<time>'],
    does: 'Groups visitors’ questions, every five minutes; details count messages, questions and clusters',
    schedule: { every: '5m', id: 'group-questions', summary: 'Group what visitors have asked' },
  },
  checkout: {
    ids: ['checkout/<checkout>'],
    does: 'Waits until a checkout is paid or expires, and provides the purchase. Signals: `event`',
  },
  reseal: {
    ids: ['reseal/<workspace>'],
    does: 'Encrypts or decrypts all content of a workspace after a change of mode or key, then rewrites the tables; details count rows. It waits while the key is unavailable. Signals: `changed`, `rewrite`',
  },
  sweepSealing: {
    ids: ['<prefix>/sweep-sealing-<time>'],
    does: 'Starts `reseal` for workspaces that differ from `PARLEY_SEAL_CONTENT`, 20 at once, every five minutes',
    schedule: {
      every: '5m',
      id: 'sweep-sealing',
      summary: 'Have content kept as PARLEY_SEAL_CONTENT says',
    },
  },
  checkKeyServices: {
    ids: ['<prefix>/check-key-services-<time>'],
    does: 'Checks key services every ten minutes, mails owners about failures and recovery, and renews Vault tokens',
    schedule: {
      every: '10m',
      id: 'check-key-services',
      summary: 'Ask key services, and tell owners of news',
    },
  },
  syncBilling: {
    ids: ['billing/<workspace>'],
    does: 'Synchronizes a payer’s subscription, top-ups, receipts and billing profile with the payment provider. Signals: `changed`, `profile`',
  },
  sweepBilling: {
    ids: ['<prefix>/sweep-billing-<time>'],
    does: 'Compares payers with the payment provider, hourly if they pay, otherwise daily; resumes events and checkouts without a workflow',
    schedule: {
      every: '1h',
      id: 'sweep-billing',
      summary: 'Have payers compared with the payment provider',
    },
  },
  exportArchive: {
    ids: ['archive/<job>'],
    does: 'Exports conversations file by file and joins the parts; resumes after an outage, and fails after a day',
  },
  importArchive: {
    ids: ['archive/<job>'],
    does: 'Validates an uploaded archive, then writes missing conversations in batches; resumes where it was',
  },
  sweepArchives: {
    ids: ['<prefix>/sweep-archives-<time>'],
    does: 'Removes files of exports after seven days, jobs after 30 and unused uploads, and restarts lost jobs, every hour',
    schedule: {
      every: '1h',
      id: 'sweep-archives',
      summary: 'Remove files of archives whose time is over, and have lost jobs go on',
    },
  },
  sendAccountMail: {
    ids: ['account-mail/<request>'],
    does: 'Mails an address entered in a form, if it has an account',
  },
  deleteAccount: {
    ids: ['delete-account/<user>'],
    does: 'Removes a closed account',
  },
  deleteOrg: {
    ids: ['delete-org/<workspace>'],
    does: 'Ends the subscription of a deleted workspace and removes its data, bots as children; waits for its calendar’s access to be revoked',
  },
  invitation: {
    ids: ['invitation/<invitation>'],
    does: 'Mails an invitation, reminds once, and ends it when it expires',
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
