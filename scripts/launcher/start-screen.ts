export interface RunningFacts {
  baseUrl: string;
  temporalUi: string;
  /** URL of the demo page with the widget; undefined if it is disabled. */
  demo: string | undefined;
  /** URL of the page with captured emails; undefined if emails are not captured. */
  mails: string | undefined;
  /** Description of the embedding model in use. */
  embeddings: string;
  home: string;
  tookMs: number;
}

export interface OwnerFacts {
  email: string;
  password?: string | undefined;
  apiKey?: string | undefined;
}

export function formatRunningScreen({
  baseUrl,
  demo,
  temporalUi,
  mails,
  embeddings,
  home,
  tookMs,
}: RunningFacts): string {
  return [
    '',
    `Parley is ready (${(tookMs / 1000).toFixed(1)} s).`,
    '',
    ...formatColumns([
      ['API', `${baseUrl}/api`],
      ['Console', `${baseUrl}/console`],
      ...(demo === undefined ? [] : [['Demo page', demo] as [string, string]]),
      ['Guides', `${baseUrl}/docs/guides`],
      ['Reference', `${baseUrl}/docs`],
      ['Temporal UI', temporalUi],
      ...(mails === undefined ? [] : [['Emails', mails] as [string, string]]),
      ['Embeddings', embeddings],
      ['Data and logs', home],
    ]),
  ].join('\n');
}

export function formatOwnerScreen({ email, password, apiKey }: OwnerFacts): string {
  return [
    '',
    'Credentials of the first owner (not shown again):',
    '',
    ...formatColumns([
      ['Email', email],
      ['Password', password ?? 'as set in PARLEY_BOOTSTRAP_PASSWORD'],
      ['API key', apiKey ?? 'as set in PARLEY_BOOTSTRAP_API_KEY'],
    ]),
  ].join('\n');
}

function formatColumns(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `  ${label.padEnd(width)}   ${value}`);
}
