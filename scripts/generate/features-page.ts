import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../launcher/project-root.ts';
import { formatMarkdownTable } from './table.ts';

/** Headings of the layers, from the outermost to the innermost layer. */
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
  adapters: 'Outside world',
  test: 'Tests',
} as const;

/** Folders that belong to no feature, because they serve all of them. */
const SHARED = new Set(['outbox', 'requests', 'installation']);

/** Generates docs/features.md, a table with the folders of each feature in each layer. */
export function renderFeaturesPage(): string {
  const names = Object.keys(LAYERS) as (keyof typeof LAYERS)[];
  const features = listFolders('services').filter((name) => !SHARED.has(name));
  const rows = features.map((feature) => [
    existsSync(resolveInProject(`docs/${feature}.md`)) ? `[${feature}](${feature}.md)` : feature,
    ...names.map((layer) => renderFolderLink(layer, feature)),
  ]);
  return `# Features

The folders of each feature, by layer, from the browser to the outside world. The folders \`outbox\`, \`requests\` and
\`installation\` serve all features. \`npm run generate\` makes this page.

${formatMarkdownTable(['Feature', ...Object.values(LAYERS)], rows)}
`;
}

function renderFolderLink(layer: string, feature: string): string {
  const folder = `${layer}/${feature}`;
  return existsSync(resolveInProject(folder)) ? `[${layer}](../${folder})` : '';
}

function listFolders(folder: string): string[] {
  const entries = readdirSync(resolveInProject(folder), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}

function resolveInProject(path: string): string {
  return fileURLToPath(new URL(path, projectRoot()));
}
