import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { InvitationActivities } from '../../activities/team/invitation.activities.ts';
import { formatDetails, formatTimeAfter } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';

type InvitationState = NonNullable<Awaited<ReturnType<InvitationActivities['mailInvitation']>>>;

export type InvitationEnd = Exclude<InvitationState['status'], 'pending'> | 'deleted';

const ends: Readonly<Record<InvitationEnd, string>> = {
  accepted: 'The invited person is a member.',
  expired: 'The invitation expired. Resending it restarts the workflow.',
  revoked: 'The invitation is revoked, and its link is invalid.',
  deleted: 'The workspace is deleted.',
};

/**
 * Shows operators the state of an invitation to a workspace, in a search attribute and in the workflow's
 * details.
 */
export class InvitationView {
  #state: InvitationEnd | 'pending' | undefined;

  /**
   * Shows operators that the invitation is pending.
   * @param remindInMs milliseconds until the reminder; null if no reminder is due
   */
  wait(remindInMs: number | null, expireInMs: number): void {
    this.#enter('pending', [
      remindInMs === null ? 'No reminder is scheduled.' : `Reminder at ${formatTimeAfter(remindInMs)}.`,
      `Expires at ${formatTimeAfter(expireInMs)}.`,
      'Signals: revoke, resend.',
    ]);
  }

  end(state: InvitationEnd): InvitationEnd {
    this.#enter(state, [ends[state]]);
    return state;
  }

  #enter(state: InvitationEnd | 'pending', lines: string[]): void {
    if (state !== this.#state)
      upsertSearchAttributes([{ key: searchAttributes.invitationState, value: state }]);
    this.#state = state;
    setCurrentDetails(formatDetails(state, lines));
  }
}
