import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../launcher/project-root.ts';
import { formatMarkdownTable } from './table.ts';

/** Headings for the layers of Parley's code, from the outermost to the innermost layer. */
const LAYERS = {
  console: 'Console',
  widget: 'Widget',
  api: 'API',
  workflows: 'Workflows',
  activities: 'Activities',
  services: 'Services',
  repositories: 'Queries',
  entities: 'Tables',
  core: 'Rules and texts',
  adapters: 'Adapters',
  test: 'Tests',
} as const;

/** Code folders that belong to no feature, because they serve all features. */
const SHARED = new Set(['outbox', 'requests', 'installation']);

/**
 * Folders of `adapters/` that each feature uses. These folders are named after the other system, not after
 * the feature.
 */
const ADAPTERS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['identity'],
  alerts: ['messaging'],
  archive: ['archive'],
  billing: ['billing'],
  bookings: ['calendars'],
  bots: ['images', 'llm', 'web'],
  conversations: ['llm'],
  encryption: ['keys'],
  flows: ['llm'],
  knowledge: ['embedding', 'extraction', 'recognition', 'reranking', 'web'],
  mail: ['mail'],
};

/** Generates docs/features.md, a table with the folders of each feature in each layer. */
export function renderFeaturesPage(): string {
  const names = Object.keys(LAYERS) as (keyof typeof LAYERS)[];
  const features = listFolders('services').filter((name) => !SHARED.has(name));
  const rows = features.map((feature) => [
    existsSync(resolveInProject(`docs/${feature}.md`)) ? `[${feature}](${feature}.md)` : feature,
    ...names.map((layer) => renderFolderLinks(layer, feature)),
  ]);
  return `# Features

The table lists the folders of each feature by layer, from the browser to other systems.
The folders \`outbox\`, \`requests\` and \`installation\` serve all features, and so do these folders of \`adapters/\`:
${listSharedAdapters()
  .map((name) => `\`${name}\``)
  .join(', ')}.
\`npm run generate\` writes this page.

${formatMarkdownTable(['Feature', ...Object.values(LAYERS)], rows)}
`;
}

function renderFolderLinks(layer: keyof typeof LAYERS, feature: string): string {
  if (layer === 'adapters')
    return (ADAPTERS[feature] ?? []).map((name) => `[${name}](../adapters/${name})`).join(', ');
  const folder = `${layer}/${feature}`;
  return existsSync(resolveInProject(folder)) ? `[${layer}](../${folder})` : '';
}

function listSharedAdapters(): string[] {
  const used = new Set(Object.values(ADAPTERS).flat());
  return listFolders('adapters').filter((name) => !used.has(name));
}

function listFolders(folder: string): string[] {
  const entries = readdirSync(resolveInProject(folder), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}

function resolveInProject(path: string): string {
  return fileURLToPath(new URL(path, projectRoot()));
}
