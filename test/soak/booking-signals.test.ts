import assert from 'node:assert/strict';
import { listAttendeeMails, book, change } from '../bookings/booking-scene.ts';
import { bookingWorkflowId } from '../../core/workflows/commands.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

const SIGNALS = 2100;
const AT_ONCE = 50;

describe('a booking after two thousand signals', () => {
  let parley: TestParleyWithWorker;
  before(async () => {
    parley = await startParleyWithWorker();
  });
  after(() => parley.stop());

  it('continues in a new history, and does not email the attendee again', async () => {
    const id = await book(parley, await parley.buildOrg());
    const handle = parley.temporal.workflow.getHandle(bookingWorkflowId(id));
    await waitUntil(async () => (await listAttendeeMails(parley, id)).length === 1, 'the confirmation');
    const { runId } = await handle.describe();
    for (let sent = 0; sent < SIGNALS; sent += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => handle.signal('changed')));
    await waitUntil(async () => (await handle.describe()).runId !== runId, 'a new history');
    await change(parley, id, { status: 'cancelled', cancelledBy: 'team' }, 'cancel');
    assert.equal(await handle.result(), 'cancelled');
    const mails = await listAttendeeMails(parley, id);
    assert.deepEqual(
      mails.map((mail) => mail.split(' ')[0]),
      ['0/confirmed', '1/cancelled'],
    );
  });
});
