import assert from 'node:assert/strict';
import { mergeActivities } from '../../worker/merge-activities.ts';

describe('mergeActivities', () => {
  const sendMail = async () => {};

  it('of rooms with names of their own returns all activities', () => {
    const purgeBot = async () => {};
    assert.deepEqual(mergeActivities([{ sendMail }, {}, { purgeBot }]), { sendMail, purgeBot });
  });

  it('of two rooms with one name throws an error that names the activity', () => {
    assert.throws(
      () => mergeActivities([{ sendMail }, { sendMail: async () => {} }]),
      new Error('Two activities are called sendMail; rename one.'),
    );
  });
});
