import type { AlertLink, AlertPolicy } from '../../client/types.ts';
import type { FormDraft } from '../../hooks/use-form-draft.ts';
import { newAlert, requestOf, type AlertDraft } from '../alert-draft.ts';

export const steps = [
  ['channel', 'The app'],
  ['destination', 'The destination'],
  ['what', 'What it is told'],
  ['try', 'A test'],
] as const;
export type Step = (typeof steps)[number][0];

/** What was chosen so far, and how far somebody is. */
export interface WizardDraft extends AlertDraft {
  step: Exclude<Step, 'try'>;
  way: 'link' | 'typed';
  /** The link that was made, as JSON; empty before. */
  attempt: string;
  /** Who has opened it; empty before. */
  connected: string;
  connectedName: string;
  typed: string;
}

export const begunAlert: WizardDraft = {
  ...newAlert,
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

export function attemptOf({ attempt }: WizardDraft): AlertLink | null {
  return attempt === '' ? null : (JSON.parse(attempt) as AlertLink);
}

/** What the policy is to be, with the destination of the way that was chosen. */
export function chosenAlert(draft: WizardDraft): AlertDraft {
  return { ...draft, destination: draft.way === 'link' ? draft.connected : draft.typed };
}

/** A policy of the same bot and destination, which saving replaces. */
export function replacedBy(draft: WizardDraft, policies: readonly AlertPolicy[]): AlertPolicy | undefined {
  const { channel, destination, bot_id: botId } = requestOf(chosenAlert(draft));
  return policies.find(
    (policy) =>
      policy.channel === channel &&
      policy.bot_id === botId &&
      policy.destination.toLowerCase() === destination.toLowerCase(),
  );
}
