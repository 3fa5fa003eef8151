import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as workflows from '../../workflows/index.ts';
import { updateWorkflowsTable } from '../../scripts/generate/workflows-table.ts';
import { listScheduledWorkflows } from '../../core/workflows/workflow-catalog.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

const readLines = (page: string) => readFileSync(page, 'utf8').split('\n');

describe('the pages for operators', () => {
  it('have the table of workflows that `npm run generate` writes from the catalog', () => {
    const page = readFileSync('docs/operating.md', 'utf8');
    assert.ok(updateWorkflowsTable(page) === page, 'Run `npm run generate`.');
    for (const name of Object.keys(workflows)) assert.ok(page.includes(`\n| \`${name}\` `), name);
  });

  it('name every schedule and its interval', () => {
    const rows = readLines('docs/architecture/running.md').filter((line) => line.startsWith('| `'));
    const every = { '1m': '1 minute', '5m': '5 minutes', '10m': '10 minutes', '1h': '1 hour' };
    assert.deepEqual(
      rows
        .map((row) =>
          row
            .split('|')
            .slice(1, 3)
            .map((cell) => cell.trim()),
        )
        .toSorted(),
      listScheduledWorkflows()
        .map((schedule) => [`\`${schedule.id}\``, every[schedule.every]])
        .toSorted(),
    );
  });

  it('name every task queue', () => {
    const queues = Object.values(nameTaskQueues('')).filter((name) => name !== '');
    const page = readLines('docs/architecture/running.md').join(' ');
    const sentences = /There are (\w+) task queues.*?(?=Payers)/.exec(page)![0];
    assert.deepEqual(
      queues.filter((name) => !sentences.includes(`\`${name}\``)),
      [],
    );
    assert.match(sentences, /^There are ten /);
    assert.equal(queues.length, 9);
  });
});
