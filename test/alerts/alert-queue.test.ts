import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Keyring } from '../../adapters/keys/keyring.ts';
import { AlertQueue, type AlertQueueDeps } from '../../services/alerts/alert-queue.ts';

const buildKeyring = () => new Keyring(randomBytes(32).toString('base64'));

describe('AlertQueue.open', () => {
  const keyring = buildKeyring();
  const queue = new AlertQueue({ keyring } as AlertQueueDeps);

  it('returns the content of a message', () => {
    const content = { lines: [[{ text: 'Hello' }]] };
    assert.deepEqual(queue.open({ id: 'm', content: queue.seal('m', content) }), content);
  });

  it('returns null for content of another master key, or of another message', () => {
    const content = new AlertQueue({ keyring: buildKeyring() } as AlertQueueDeps).seal('m', { lines: [] });
    assert.equal(queue.open({ id: 'm', content }), null);
    assert.equal(queue.open({ id: 'm', content: queue.seal('n', { lines: [] }) }), null);
  });

  it('throws a SyntaxError for content that is not JSON', () => {
    const content = keyring.seal('no JSON', 'alert_messages.content:m');
    assert.throws(() => queue.open({ id: 'm', content }), SyntaxError);
  });
});
