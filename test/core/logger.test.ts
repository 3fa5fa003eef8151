import assert from 'node:assert/strict';
import { createLogger } from '../../core/logger.ts';
import { HOSTILE_TEXT } from '../support/hostile-server.ts';

describe('createLogger', () => {
  it('escapes control characters of a terminal, and keeps their values', () => {
    const lines: string[] = [];
    const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    log.info({ title: HOSTILE_TEXT, [HOSTILE_TEXT]: 1 }, HOSTILE_TEXT);
    log.error({ err: new Error(HOSTILE_TEXT) }, 'failed');
    for (const line of lines) assert.match(line, /^[\x20-\x7e]+\n$/);
    const [said = {}, failed = {}] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual([said['title'], said['msg'], said[HOSTILE_TEXT]], [HOSTILE_TEXT, HOSTILE_TEXT, 1]);
    assert.equal((failed['err'] as Error).message, HOSTILE_TEXT);
  });
});
