import assert from 'node:assert/strict';
import { hasValidLinks, computeNextInvitation } from '../../services/team/invitation-rules.ts';

describe('invitation links', () => {
  const open = { status: 'pending', isOrgActive: true, inviterRole: 'admin' } as const;
  const cases = [
    ['an invitation that is pending', {}, true],
    ['an invitation that an owner sent', { inviterRole: 'owner' }, true],
    ['an invitation that was accepted', { status: 'accepted' }, false],
    ['an invitation that has expired', { status: 'expired' }, false],
    ['an invitation that was revoked', { status: 'revoked' }, false],
    ['an invitation into a workspace that is deleted or switched off', { isOrgActive: false }, false],
    ['an invitation whose sender is a member now', { inviterRole: 'member' }, false],
    ['an invitation whose sender has left', { inviterRole: null }, false],
  ] as const;
  for (const [what, difference, isGood] of cases)
    it(`give access to ${isGood ? 'the workspace' : 'nothing'} for ${what}`, () => {
      assert.equal(hasValidLinks({ ...open, ...difference }), isGood);
    });

  it('can be sent again 24 hours after the oldest invitation that counts toward the limit', () => {
    assert.equal(computeNextInvitation(null), null);
    assert.deepEqual(
      computeNextInvitation(new Date('2030-01-31T10:00:00Z')),
      new Date('2030-02-01T10:00:00Z'),
    );
  });
});
