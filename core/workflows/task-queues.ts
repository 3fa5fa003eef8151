export interface TaskQueues {
  /** All workflows, and activities that only access the database. */
  core: string;
  /** Activities that fetch websites and other sources. */
  fetch: string;
  /** Activities that read and index documents. */
  ingest: string;
  /** Retries of webhook deliveries. */
  webhooks: string;
  /** Activities that call language models. */
  models: string;
  /** Activities that send email. */
  mail: string;
  /** Activities that call calendar providers. */
  calendar: string;
  /** Activities that call the payment provider. */
  billing: string;
  /** Activities that send messages to messaging apps. */
  messages: string;
  /** Steps of exports and imports of conversations. */
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
