export interface TaskQueues {
  /** Name of the task queue for all workflows, and for activities that only access the database. */
  core: string;
  /** Name of the task queue for activities that fetch websites and other sources. */
  fetch: string;
  /** Name of the task queue for activities that read and index documents. */
  ingest: string;
  /** Name of the task queue for retries of webhook deliveries. */
  webhooks: string;
  /** Name of the task queue for activities that call language models. */
  models: string;
  /** Name of the task queue for activities that send email. */
  mail: string;
  /** Name of the task queue for activities that call calendar providers. */
  calendar: string;
  /** Name of the task queue for activities that call the payment provider. */
  billing: string;
  /** Name of the task queue for activities that send messages to messaging apps. */
  messages: string;
  /** Name of the task queue for steps of exports and imports of conversations. */
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
