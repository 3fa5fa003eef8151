import { tableOf } from './table.ts';
import { workflowCatalogue } from '../../core/workflows/catalogue.ts';

/**
 * Replaces the table of workflows in docs/operating.md.
 * @param page content of docs/operating.md
 */
export function withWorkflowsTable(page: string): string {
  const rows = Object.entries(workflowCatalogue).map(([name, { ids, does }]) => [
    code(name),
    ids.map(code).join(', '),
    does,
  ]);
  return page.replace(/^\| Workflow +\|.*(\n\|.*)+/m, () =>
    tableOf(['Workflow', 'Id', 'What it does'], rows),
  );
}

function code(text: string): string {
  return `\`${text}\``;
}
