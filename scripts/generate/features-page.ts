import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../launcher/project-root.ts';
import { tableOf } from './table.ts';

/** Layers from the outside in, with their headings. */
const floors = {
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

/** Folders that serve all features. */
const SHARED = new Set(['outbox', 'requests', 'installation']);

/** Generates docs/features.md: the folders of each feature in each layer. */
export function featuresPage(): string {
  const names = Object.keys(floors) as (keyof typeof floors)[];
  const features = listFolders('services').filter((name) => !SHARED.has(name));
  const rows = features.map((feature) => [
    existsSync(inProject(`docs/${feature}.md`)) ? `[${feature}](${feature}.md)` : feature,
    ...names.map((floor) => linkTo(floor, feature)),
  ]);
  return `# Features

Where each feature stands on each floor, from the browser to the outside world. The folders \`outbox\`, \`requests\` and
\`installation\` serve all features. \`npm run generate\` makes this page.

${tableOf(['Feature', ...Object.values(floors)], rows)}
`;
}

function linkTo(floor: string, feature: string): string {
  const folder = `${floor}/${feature}`;
  return existsSync(inProject(folder)) ? `[${floor}](../${folder})` : '';
}

function listFolders(folder: string): string[] {
  const entries = readdirSync(inProject(folder), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}

function inProject(path: string): string {
  return fileURLToPath(new URL(path, projectRoot()));
}
