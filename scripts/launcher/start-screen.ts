import type { BootstrapResult } from '../../services/installation/bootstrap.ts';

export interface RunningFacts {
  baseUrl: string;
  temporalUi: string;
  /** URL of the demo page with the widget; undefined if the page is disabled. */
  demo: string | undefined;
  /** URL of the page with captured emails; undefined if emails are not captured. */
  mails: string | undefined;
  /** Description of the embedding model in use, for the start screen. */
  embeddings: string;
  home: string;
  tookMs: number;
}

/** Path of the console's page that sets up the first owner. */
const SETUP_PAGE = '/welcome';

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

/**
 * Formats how the first owner signs in, for the start screen: the setup link, or the credentials after the
 * first start. Null if the owner is already set up.
 */
export function formatOwnerScreen(
  { created, email, password, apiKey, setupToken }: BootstrapResult,
  baseUrl: string,
): string | null {
  if (setupToken !== undefined) {
    const onceShown = apiKey === undefined ? '' : ', and the API key is not shown again';
    return formatSection(`Open the link to set up your account. It works once${onceShown}:`, [
      // Put the setup token in the URL's fragment, which browsers do not send to the server.
      ['Set up', `${baseUrl}${SETUP_PAGE}#token=${setupToken}`],
      ...(apiKey === undefined ? [] : [['API key', apiKey] as [string, string]]),
    ]);
  }
  if (!created) return null;
  return formatSection('Credentials of the first owner (not shown again):', [
    ['Email', email],
    ['Password', password ?? 'as set in PARLEY_BOOTSTRAP_PASSWORD'],
    ['API key', apiKey ?? 'as set in PARLEY_BOOTSTRAP_API_KEY'],
  ]);
}

function formatSection(title: string, rows: [string, string][]): string {
  return ['', title, '', ...formatColumns(rows)].join('\n');
}

function formatColumns(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `  ${label.padEnd(width)}   ${value}`);
}
