import assert from 'node:assert/strict';
import { ChannelConcurrency } from '../../services/alerts/messages/channel-concurrency.ts';

const PLACES = 2;

describe('ChannelConcurrency', () => {
  it('still runs messages of one channel while another channel hangs with more workspaces than there are slots', async () => {
    const places = new ChannelConcurrency({ alertSlots: PLACES });
    const ending = new AbortController();
    const begun: string[] = [];
    const hanging = Array.from({ length: 2 * PLACES + 1 }, (_, index) => {
      const orgId = `hanging-${index}`;
      const hang = () => (begun.push(orgId), new Promise<void>(() => {}));
      return places.run(orgId, { channel: 'telegram', isUrgent: true }, hang, ending.signal);
    });
    await new Promise((resolve) => void setImmediate(resolve));
    assert.equal(begun.length, 2 * PLACES);
    const send = async () => 'sent';
    const sent = await places.run('other', { channel: 'whatsapp', isUrgent: false }, send, ending.signal);
    assert.equal(sent, 'sent');
    ending.abort(new Error('The worker ends.'));
    await assert.rejects(Promise.any(hanging.slice(2 * PLACES)), AggregateError);
    assert.equal(begun.length, 2 * PLACES);
  });
});
