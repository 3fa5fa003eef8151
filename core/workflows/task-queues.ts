export interface TaskQueues {
  /** All workflows, and activities that only use the database. */
  core: string;
  /** Downloads from other sites. */
  fetch: string;
  /** Reading and indexing documents. */
  ingest: string;
  /** Retries of webhooks. */
  webhooks: string;
  /** Calls of language models. */
  models: string;
  /** Mail servers. */
  mail: string;
  /** Providers of calendars. */
  calendar: string;
  /** The payment provider. */
  billing: string;
  /** Messaging apps. */
  messages: string;
  /** Exports and imports of conversations. */
  archives: string;
}

export function nameTaskQueues(core: string): TaskQueues {
  return {
    core,
    fetch: `${core}-fetch`,
    ingest: `${core}-ingest`,
    webhooks: `${core}-webhooks`,
    models: `${core}-models`,
    mail: `${core}-mail`,
    calendar: `${core}-calendar`,
    billing: `${core}-billing`,
    messages: `${core}-messages`,
    archives: `${core}-archives`,
  };
}
