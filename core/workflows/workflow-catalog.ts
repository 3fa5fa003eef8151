/**
 * A Temporal schedule that starts a workflow. The schedule's id gets the prefix of the task queues; the
 * summary is shown in Temporal's UI.
 */
interface Schedule {
  every: '1m' | '5m' | '10m' | '1h';
  id: string;
  summary: string;
}

interface WorkflowEntry {
  /** Patterns of the workflow's ids, as shown to operators, such as `ingest/<document>/<revision>`. */
  ids: readonly string[];
  does: string;
  /** Schedule that starts the workflow. Outbox commands start workflows without a schedule. */
  schedule?: Schedule;
}

/**
 * All workflows of the worker. Types, outbox commands, schedules and the table in docs/operating.md are
 * derived from this list. TypeScript reports a workflow that is missing here or in workflows/index.ts.
 */
export const workflowCatalog = {
  ingestDocument: {
    ids: ['ingest/<document>/<revision>'],
    does: 'Fetches, reads and indexes a document',
  },
  crawlSite: {
    ids: ['crawl/<document>/<revision>'],
    does: 'Reads a website by its sitemap or links and indexes its pages in batches',
  },
  refreshDocument: {
    ids: ['refresh/<document>-<time>'],
    does: 'Refreshes a source on its schedule. A child workflow indexes it',
  },
  scheduleRefreshes: {
    ids: ['schedule-refreshes/<bot>'],
    does: 'Updates the schedules `refresh/<document>` of a bot',
  },
  deleteDocument: {
    ids: ['delete-document/<document>'],
    does: 'Stops the workflows of a deleted document and removes its files',
  },
  deleteFile: {
    ids: ['delete-file/<file>'],
    does: 'Deletes stored files, such as a replaced avatar or those of a deleted conversation',
  },
  embedBot: {
    ids: ['embed-bot/<bot>'],
    does: 'Embeds a bot’s passages with another model, then switches search to it',
  },
  generateBot: {
    ids: ['generate-bot/<generation>'],
    does: 'Drafts a bot from a few web pages, with the model or by rules',
  },
  runTestSet: {
    ids: ['test-run/<run>'],
    does: 'Lets a bot answer the questions of a test set, and judges the answers',
  },
  enrichConversation: {
    ids: ['enrich/<conversation>/<end>', 'extract-fields/<conversation>'],
    does: 'Extracts the title, summary, sentiment and fields of a conversation',
  },
  flowWait: {
    ids: ['flow-wait/<conversation>/<wait>'],
    does: 'Continues a flow if the visitor has not answered a question within its `timeout_minutes`',
  },
  booking: {
    ids: ['booking/<booking>'],
    does: 'Updates the calendar, emails the attendee and the team, and sends a reminder a day before',
  },
  eraseContact: {
    ids: ['erase-contact/<contact>'],
    does: 'Removes copies of an erased contact’s data from logs and stored responses',
  },
  sendEmail: {
    ids: ['email/<mail>'],
    does: 'Sends an email, with retries',
  },
  notifyLead: {
    ids: ['notify-lead/<contact>/<conversation>'],
    does: 'Queues emails about a lead',
  },
  mailVisitor: {
    ids: ['mail-visitor/<message>'],
    does: 'Waits for a visitor to return, then emails the team’s replies',
  },
  notifyHandoff: {
    ids: ['notify-handoff/<conversation>/<request>'],
    does: 'Queues emails about a waiting visitor',
  },
  notifyWebhookDisabled: {
    ids: ['notify-webhook-disabled/<endpoint>/<time>'],
    does: 'Queues emails about a disabled endpoint',
  },
  sendAlert: {
    ids: ['alert/<policy>'],
    does: 'Sends the alerts of an alert policy in groups, with a daily cap and retries',
  },
  receiveTelegram: {
    ids: ['telegram-updates/<bot>'],
    does: 'Polls Telegram while a chat is being linked',
  },
  purgeBot: {
    ids: ['purge-bot/<bot>'],
    does: 'Removes all data of a deleted bot',
  },
  purgeWebhook: {
    ids: ['purge-webhook/<endpoint>'],
    does: 'Removes a deleted endpoint and its log',
  },
  webhookDelivery: {
    ids: ['webhook-delivery/<delivery>'],
    does: 'Retries a failed delivery, then waits for a replay',
  },
  sendDigest: {
    ids: ['digest/<policy>/<date>'],
    does: 'Sends the digest of an alert policy. Signals: `retryNow`, `skip`',
  },
  digestMail: {
    ids: ['digest-mail/<user>/<Monday>'],
    does: 'Emails a user the weekly report, if anything happened',
  },
  sweepAlerts: {
    ids: ['<prefix>/sweep-alerts-<time>'],
    does: 'Starts due digests and weekly reports, and restarts lost alert workflows',
    schedule: { every: '1m', id: 'sweep-alerts', summary: 'Start digests and weekly reports that are due' },
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
    does: 'Ends conversations that are idle for 30 minutes, and handoffs that are idle for a day',
    schedule: { every: '5m', id: 'sweep-conversations', summary: 'End conversations that have been idle' },
  },
  sweepNotices: {
    ids: ['<prefix>/sweep-notices-<time>'],
    does: 'Queues emails about failed documents, bots near their monthly limit, and access changes such as new API keys',
    schedule: {
      every: '5m',
      id: 'sweep-notices',
      summary:
        'Email teams about failed documents and bots near their limit, and owners about access changes',
    },
  },
  sweepUsage: {
    ids: ['<prefix>/sweep-usage-<time>'],
    does: 'Sums usage, and queues emails about plans near their limit',
    schedule: { every: '1m', id: 'sweep-usage', summary: 'Sum usage, and email payers near a limit' },
  },
  syncCalendar: {
    ids: ['calendar-sync/<connection>'],
    does: 'Reads busy times, and applies changes to meetings that were moved or deleted in the calendar',
  },
  disconnectCalendar: {
    ids: ['disconnect-calendar/<connection>'],
    does: 'Revokes the access to a calendar, with retries for a day, and removes its data',
  },
  sweepCalendars: {
    ids: ['<prefix>/sweep-calendars-<time>'],
    does: 'Starts `syncCalendar` every 15 minutes while slots are requested, otherwise every six hours',
    schedule: { every: '5m', id: 'sweep-calendars', summary: 'Start reading the calendars that are due' },
  },
  sweepBookings: {
    ids: ['<prefix>/sweep-bookings-<time>'],
    does: 'Restarts lost booking workflows',
    schedule: { every: '5m', id: 'sweep-bookings', summary: 'Restart lost booking workflows' },
  },
  sweepDeliveries: {
    ids: ['<prefix>/sweep-deliveries-<time>'],
    does: 'Resumes overdue webhook retries',
    schedule: {
      every: '5m',
      id: 'sweep-deliveries',
      summary: 'Resume webhook retries whose workflow was lost',
    },
  },
  foldCounts: {
    ids: ['<prefix>/fold-counts-<time>'],
    does: 'Sums the deltas of analytics',
    schedule: {
      every: '1m',
      id: 'fold-counts',
      summary: 'Sum the deltas of analytics',
    },
  },
  purgeExpired: {
    ids: ['<prefix>/purge-expired-<time>'],
    does: 'Deletes rows past their [retention](#retention)',
    schedule: {
      every: '1h',
      id: 'purge-expired',
      summary: 'Delete expired rows: stored responses, counts, logs',
    },
  },
  groupQuestions: {
    ids: ['<prefix>/group-questions-<time>'],
    does: 'Groups visitors’ questions',
    schedule: { every: '5m', id: 'group-questions', summary: 'Group visitors’ questions' },
  },
  checkout: {
    ids: ['checkout/<checkout>'],
    does: 'Waits for a payment, then fulfills the purchase. Signals: `event`',
  },
  reseal: {
    ids: ['reseal/<workspace>'],
    does: 'Encrypts or decrypts all content of a workspace, then rewrites the tables; waits while the key is unavailable. Signals: `changed`, `rewrite`',
  },
  sweepSealing: {
    ids: ['<prefix>/sweep-sealing-<time>'],
    does: 'Starts `reseal` for workspaces whose content is not stored as `PARLEY_SEAL_CONTENT` says, up to 20 at once',
    schedule: {
      every: '5m',
      id: 'sweep-sealing',
      summary: 'Encrypt or decrypt content as PARLEY_SEAL_CONTENT says',
    },
  },
  checkKeyServices: {
    ids: ['<prefix>/check-key-services-<time>'],
    does: 'Checks key services, emails owners about failures and recovery, renews Vault tokens',
    schedule: {
      every: '10m',
      id: 'check-key-services',
      summary: 'Check key services, and email owners about changes',
    },
  },
  syncBilling: {
    ids: ['billing/<workspace>'],
    does: 'Synchronizes a payer’s data with the payment provider. Signals: `changed`, `profile`',
  },
  sweepBilling: {
    ids: ['<prefix>/sweep-billing-<time>'],
    does: 'Compares payers’ data with the payment provider’s data, hourly if they pay, otherwise daily',
    schedule: {
      every: '1h',
      id: 'sweep-billing',
      summary: 'Compare payers’ data with the payment provider’s data',
    },
  },
  exportArchive: {
    ids: ['archive/<job>'],
    does: 'Exports conversations; resumes after an outage, fails after a day',
  },
  importArchive: {
    ids: ['archive/<job>'],
    does: 'Validates an uploaded archive, then writes its missing conversations',
  },
  sweepArchives: {
    ids: ['<prefix>/sweep-archives-<time>'],
    does: 'Removes export files after seven days and jobs after 30 days; restarts lost jobs',
    schedule: {
      every: '1h',
      id: 'sweep-archives',
      summary: 'Remove expired archive files, and restart lost jobs',
    },
  },
  sendAccountMail: {
    ids: ['account-mail/<request>'],
    does: 'Emails an address that was entered in a form, if an account has this address',
  },
  deleteAccount: {
    ids: ['delete-account/<user>'],
    does: 'Removes a closed account',
  },
  deleteOrg: {
    ids: ['delete-org/<workspace>'],
    does: 'Ends the subscription of a deleted workspace and removes its data',
  },
  invitation: {
    ids: ['invitation/<invitation>'],
    does: 'Emails an invitation, sends one reminder, and marks the invitation as expired',
  },
} as const satisfies Record<string, WorkflowEntry>;

type Catalog = typeof workflowCatalog;
export type WorkflowName = keyof Catalog;
/** Workflow types that a schedule starts. */
type ScheduledWorkflow = {
  [N in WorkflowName]: Catalog[N] extends { schedule: Schedule } ? N : never;
}[WorkflowName];
/** Workflow types that outbox commands start. */
export type CommandedWorkflow = Exclude<WorkflowName, ScheduledWorkflow>;

const entries: Record<string, WorkflowEntry> = workflowCatalog;

export function isCommanded(name: string): name is CommandedWorkflow {
  return Object.hasOwn(entries, name) && entries[name]?.schedule === undefined;
}

export function listScheduledWorkflows(): (Schedule & { workflow: string })[] {
  return Object.entries(entries).flatMap(([workflow, { schedule }]) =>
    schedule ? [{ workflow, ...schedule }] : [],
  );
}
