import { formatMarkdownTable } from './table.ts';
import { workflowCatalog } from '../../core/workflows/workflow-catalog.ts';

/**
 * Replaces the table of workflows in docs/operating.md.
 * @param page content of docs/operating.md
 */
export function updateWorkflowsTable(page: string): string {
  const rows = Object.entries(workflowCatalog).map(([name, { ids, does }]) => [
    formatCode(name),
    ids.map(formatCode).join(', '),
    does,
  ]);
  return page.replace(/^\| Workflow +\|.*(\n\|.*)+/m, () =>
    formatMarkdownTable(['Workflow', 'Id', 'What it does'], rows),
  );
}

function formatCode(text: string): string {
  return `\`${text}\``;
}
