import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as workflows from '../../workflows/index.ts';
import { taskQueuesOf } from '../../workflows/shared/task-queues.ts';

const linesOf = (page: string) => readFileSync(page, 'utf8').split('\n');

describe('the pages for operators', () => {
  it('name every workflow that there is once, and no other', () => {
    const lines = linesOf('docs/operating.md');
    const start = lines.findIndex((line) => /^\| Workflow +\|/.test(line));
    const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
    const named = lines.slice(start + 2, start + length).map((line) => line.match(/^\| `(\w+)`/)?.[1]);
    assert.deepEqual(named.sort(), Object.keys(workflows).sort());
  });

  it('name every task queue', () => {
    const queues = Object.values(taskQueuesOf('')).filter((name) => name !== '');
    const page = linesOf('docs/architecture/running.md').join(' ');
    const sentence = /There are (\w+) task queues[^.]*\./.exec(page)![0];
    assert.deepEqual(
      queues.filter((name) => !sentence.includes(`\`${name}\``)),
      [],
    );
    assert.match(sentence, /^There are six /);
    assert.equal(queues.length, 5);
  });
});
