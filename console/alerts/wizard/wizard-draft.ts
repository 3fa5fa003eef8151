import type { AlertLink, AlertPolicy } from '../../client/types.ts';
import type { FormDraft } from '../../state/form-draft.ts';
import { emptyAlert, toAlertRequest, type AlertDraft } from '../alert-draft.ts';

export const steps = [
  ['channel', 'Channel'],
  ['destination', 'Recipient'],
  ['events', 'Events'],
  ['try', 'Test'],
] as const;
export type Step = (typeof steps)[number][0];

/** Values of all steps of the wizard for an alert policy, and the current step. */
export interface WizardDraft extends AlertDraft {
  step: Exclude<Step, 'try'>;
  way: 'link' | 'typed';
  /** The link that connects a chat, as JSON; empty until the link is created. */
  attempt: string;
  /** Address of the chat in which the user opened the link; empty until then. */
  connected: string;
  connectedName: string;
  typed: string;
}

export const emptyWizardDraft: WizardDraft = {
  ...emptyAlert,
  step: 'channel',
  way: 'link',
  attempt: '',
  connected: '',
  connectedName: '',
  typed: '',
};

export type WizardForm = FormDraft<WizardDraft>;

export interface StepProps {
  form: WizardForm;
}

export function parseAttempt({ attempt }: WizardDraft): AlertLink | null {
  return attempt === '' ? null : (JSON.parse(attempt) as AlertLink);
}

/** Returns the draft of an alert policy with the connected chat or the typed address as its destination. */
export function withChosenDestination(draft: WizardDraft): AlertDraft {
  return { ...draft, destination: draft.way === 'link' ? draft.connected : draft.typed };
}

/**
 * Finds the existing alert policy with the same bot and destination, which saving the draft would replace.
 */
export function findReplacedPolicy(
  draft: WizardDraft,
  policies: readonly AlertPolicy[],
): AlertPolicy | undefined {
  const { channel, destination, bot_id: botId } = toAlertRequest(withChosenDestination(draft));
  return policies.find(
    (policy) =>
      policy.channel === channel &&
      policy.bot_id === botId &&
      policy.destination.toLowerCase() === destination.toLowerCase(),
  );
}
