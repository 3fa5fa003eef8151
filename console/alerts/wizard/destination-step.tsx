import { Alert, Button } from '@mantine/core';
import type { AlertConnection, AlertEstimate } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { RadioChoices } from '../../components/forms/radio-choices.tsx';
import { toAlertRequest } from '../alert-draft.ts';
import { formatDestination, type AlertChannel } from '../alert-words.ts';
import { LinkConnect } from '../connect/link-connect.tsx';
import { StepButtons } from './step-buttons.tsx';
import { parseAttempt, emptyWizardDraft, withChosenDestination, type StepProps } from './wizard-draft.ts';

const typedFields: Readonly<Record<AlertChannel, { label: string; hint: string }>> = {
  telegram: {
    label: 'Chat',
    hint: 'Chat ID such as 123456789, or the @name of a public chat. A person must message the bot first. A group must have the bot as a member.',
  },
  whatsapp: { label: 'Phone number', hint: 'Include the country code, e.g. +351 912 345 678.' },
};

export function DestinationStep({ form }: StepProps) {
  const { client } = useSession();
  const { draft, change } = form;
  const isReady = draft.way === 'typed' || draft.connected !== '';
  const next = useAction(async () => {
    // Request an estimate only to validate the typed destination of alerts: the request stores nothing.
    if (draft.way === 'typed')
      await client.ask<AlertEstimate>('/api/alerts/estimate', toAlertRequest(withChosenDestination(draft)));
    change({ step: 'events' });
  });
  return (
    <Form isReady={isReady} onSubmit={() => next.run()}>
      <RadioChoices
        legend="Connect"
        value={draft.way}
        choices={[
          {
            value: 'link',
            title: 'With a link or QR code',
            hint: 'Opening the link on the phone confirms the recipient.',
          },
          {
            value: 'typed',
            title: 'Enter manually',
            hint: 'In the last step, we send a code to verify the recipient.',
          },
        ]}
        onChange={(way) => change({ way })}
      />
      {draft.way === 'link' && <Linked form={form} />}
      {draft.way === 'typed' && (
        <TextField
          {...typedFields[draft.channel]}
          key={draft.channel}
          value={draft.typed}
          type={draft.channel === 'whatsapp' ? 'tel' : 'text'}
          maxLength={255}
          problem={describeFieldProblem(next.problem, 'destination', 'This')}
          isRequired
          onChange={(typed) => change({ typed })}
        />
      )}
      <ProblemMessage problem={next.problem} inlineFields={['destination']} />
      <StepButtons form={form} back="channel" isBusy={next.isBusy} isReady={isReady} />
    </Form>
  );
}

function Linked({ form: { draft, change } }: StepProps) {
  const { attempt, connected, connectedName } = emptyWizardDraft;
  const handleConnected = ({ destination, name }: AlertConnection): void =>
    change({ connected: destination ?? '', connectedName: name ?? '' });
  if (draft.connected === '')
    return (
      <LinkConnect
        channel={draft.channel}
        attempt={parseAttempt(draft)}
        onAttempt={(created) => change({ attempt: JSON.stringify(created) })}
        onConnected={handleConnected}
      />
    );
  return (
    <>
      <Alert color="green" role="status">
        Connected: {formatDestination(draft.connected, draft.connectedName)}
      </Alert>
      <div>
        <Button variant="default" onClick={() => change({ attempt, connected, connectedName })}>
          Connect another
        </Button>
      </div>
    </>
  );
}
