import type { Library } from './library.ts';

/**
 * Returns the index of the documentation for language models (llmstxt.org): a title, a summary, and all pages with
 * their URLs.
 */
export function renderLlmsText({ groups }: Library): string {
  const line = (title: string, address: string, summary: string) => `- [${title}](${address}): ${summary}`;
  const sections = groups.map(({ title, pages }) => [
    `## ${title}`,
    '',
    ...pages.map((page) => line(page.title, `${page.address}.md`, page.summary)),
    '',
  ]);
  return [
    '# Parley',
    '',
    '> Parley runs chat assistants that answer the visitors of a website from an organization’s own documents, name their sources, book meetings and hand over to people. It has a widget, a console for teams, a REST API with signed webhooks, SDKs for TypeScript and Python, a command line and an MCP server.',
    '',
    'The tests run every block of code in the guides against a real server. Most calls need an API key (`parley_live_…`) as a bearer token.',
    '',
    ...sections.flat(),
    '## API',
    '',
    line('OpenAPI 3.1 document', '/openapi.json', 'every operation, with schemas, errors and examples.'),
    line(
      'Error codes',
      '/errors',
      'what each code means and what to do; as JSON with `Accept: application/json`.',
    ),
    line('Settings', '/docs/settings', 'the environment variables of a Parley server.'),
    '',
  ].join('\n');
}
