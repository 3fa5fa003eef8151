import { Stack, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { AlertPolicy } from '../../client/types.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { ChannelStep } from './channel-step.tsx';
import { DestinationStep } from './destination-step.tsx';
import { TryStep } from './try-step.tsx';
import { EventsStep } from './events-step.tsx';
import { emptyWizardDraft, steps, type Step } from './wizard-draft.ts';

export interface AlertWizardProps {
  policies: readonly AlertPolicy[];
  onSaved(): void;
  /** Called when the user finishes the wizard for a new alert policy. */
  onDone(): void;
}

/**
 * Wizard that connects a messaging app, selects the events that send alerts, and sends a test. The wizard
 * reopens at the step at which the user closed it.
 */
export function AlertWizard({ policies, onSaved, onDone }: AlertWizardProps) {
  const { me } = useSession();
  const form = useFormDraft(`new alert/${me.data?.organization?.id}`, emptyWizardDraft);
  const [saved, setSaved] = useState<AlertPolicy | null>(null);
  const step = saved === null ? form.draft.step : 'try';
  const handleSaved = (policy: AlertPolicy): void => {
    setSaved(policy);
    onSaved();
  };
  return (
    <Stack>
      <StepHeading current={step} />
      {step === 'channel' && <ChannelStep form={form} />}
      {step === 'destination' && <DestinationStep form={form} />}
      {step === 'events' && <EventsStep form={form} policies={policies} onSaved={handleSaved} />}
      {saved !== null && <TryStep policy={saved} onVerified={handleSaved} onDone={onDone} />}
    </Stack>
  );
}

/** Heading of the wizard that gets the focus at each step, so that screen readers announce the step. */
function StepHeading({ current }: { current: Step }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [current]);
  const at = steps.findIndex(([step]) => step === current);
  return (
    <>
      <ol className="wizard-steps" aria-label="Steps">
        {steps.map(([step, name]) => (
          <li key={step} aria-current={step === current ? 'step' : undefined}>
            {name}
          </li>
        ))}
      </ol>
      <Title order={3} className="unseen" ref={heading} tabIndex={-1}>
        Step {at + 1} of {steps.length}: {steps[at]?.[1]}
      </Title>
    </>
  );
}
