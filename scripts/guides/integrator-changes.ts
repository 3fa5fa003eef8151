/** Areas for which changes concern programs that use Parley. A changelog entry begins with its area. */
export const integratorAreas = ['API', 'SDKs', 'Webhooks', 'Widget', 'MCP', 'Command line', 'Reference'];

const INTRODUCTION = `# Changes for integrators

Changes to the API, the SDKs, webhooks, the widget, the MCP server and the command line, newest first.
The API has dated [versions](docs/guides/api-versions.md): a change that breaks callers needs a new version.
`;

const ENTRY = new RegExp(`^- (?:${integratorAreas.join('|')}): `);

/**
 * Selects the changelog entries that concern authors of programs that use Parley: entries that begin with one
 * of the areas above.
 * @param changelog releases as `##` sections, newest first, each with `###` sections of entries
 */
export function selectIntegratorChanges(changelog: string): string {
  const [, ...releases] = changelog.split(/^## /m);
  const selected = releases.map((release) => {
    const [heading = '', ...parts] = release.split(/^### /m);
    return [`## ${heading.trim().replaceAll(/[[\]]/g, '')}`, ...parts.map(selectEntries).filter(Boolean)];
  });
  const sections = selected.filter(({ length }) => length > 1).map((parts) => parts.join('\n\n'));
  return `${[INTRODUCTION, sections.join('\n\n')].join('\n')}\n`;
}

/** Returns a `###` section of the changelog with only the entries for integrators, or an empty text without any. */
function selectEntries(part: string): string {
  const [heading = '', ...lines] = part.split('\n');
  const entries = lines.filter((line) => ENTRY.test(line));
  return entries.length === 0 ? '' : [`### ${heading}`, '', ...entries].join('\n');
}
