import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { InvitationActivities } from '../../activities/team/invitation.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { InvitationInput } from '../../core/workflows/commands.ts';
import { InvitationView, type InvitationEnd } from '../shared/invitation-view.ts';
import { limitTimerMs } from '../../core/workflows/format.ts';

const acceptSignal = defineSignal('accept');
const revokeSignal = defineSignal('revoke');
/**
 * Signal to email the invitation again. The API passes the revision that it has created; operators pass
 * nothing.
 */
const resendSignal = defineSignal<[revision?: unknown]>('resend');

const { mailInvitation, remindOfInvitation, expireInvitation, revokeInvitation, renewInvitation } =
  proxyActivities<InvitationActivities>(databaseActivity);

/** Tracks an invitation to a workspace: emails its link, sends one reminder, and marks it as expired. */
export async function invitation(input: InvitationInput): Promise<InvitationEnd> {
  const signals = new InvitationSignals();
  const view = new InvitationView();
  for (;;) {
    if (signals.take('revoke')) await revokeInvitation(input);
    const state = await mailInvitation(input);
    if (state === null) return view.end('deleted');
    if (signals.take('renew')) {
      await renewInvitation({ ...input, revision: state.revision });
      continue;
    }
    if (state.status !== 'pending') return view.end(state.status);
    const { remindInMs, expireInMs } = state;
    const isReminding = remindInMs !== null && remindInMs < expireInMs;
    view.wait(isReminding ? remindInMs : null, expireInMs);
    if (await signals.waitForSignal(isReminding ? remindInMs : expireInMs)) continue;
    if (isReminding) await remindOfInvitation(input);
    else await expireInvitation(input);
  }
}

type InvitationRequest = 'changed' | 'revoke' | 'renew';

/** Signals that operators and the API have sent to the workflow of an invitation. */
class InvitationSignals {
  readonly #received = new Set<InvitationRequest>();

  constructor() {
    setHandler(acceptSignal, () => void this.#received.add('changed'), {
      description:
        'Read the accepted invitation. The API sends this signal after the acceptance; the signal itself accepts nothing.',
    });
    setHandler(revokeSignal, () => void this.#received.add('revoke'), {
      description: 'Revoke the invitation.',
    });
    setHandler(
      resendSignal,
      (revision) => void this.#received.add(typeof revision === 'string' ? 'changed' : 'renew'),
      {
        description:
          'Invalidate the link, and email a new one with the same lifetime. The signal needs no input.',
      },
    );
  }

  /** Returns whether a signal with this meaning has arrived since the last call, and removes the signal. */
  take(request: InvitationRequest): boolean {
    return this.#received.delete(request);
  }

  /**
   * Waits for a signal to the invitation's workflow, but at most `waitMs`. Returns false if no signal has
   * arrived.
   */
  async waitForSignal(waitMs: number): Promise<boolean> {
    const isAnyReceived = () => this.#received.size > 0;
    const hasArrived =
      isAnyReceived() || (waitMs > 0 && (await condition(isAnyReceived, limitTimerMs(waitMs))));
    this.#received.delete('changed');
    return hasArrived;
  }
}
