import { Form } from '../../components/form.tsx';
import { RadioChoices } from '../../components/radio-choices.tsx';
import { channelNames, type AlertChannel } from '../alert-words.ts';
import { CapturedMessagesHint } from '../captured-messages-hint.tsx';
import { useChannelModes } from '../use-channel-modes.ts';
import { StepButtons } from './step-buttons.tsx';
import { emptyWizardDraft, type StepProps } from './wizard-draft.ts';

const hints: Readonly<Record<AlertChannel, string>> = {
  telegram: 'A chat with one person, or a group.',
  whatsapp: 'A phone number.',
};

export function ChannelStep({ form }: StepProps) {
  const { channel } = form.draft;
  const ways = useChannelModes();
  const way = ways?.[channel];
  const { attempt, connected, connectedName, typed } = emptyWizardDraft;
  return (
    <Form className="stack" isReady={way !== 'none'} onSubmit={() => form.change({ step: 'destination' })}>
      <RadioChoices
        legend="Which app alerts come in"
        value={channel}
        choices={(['telegram', 'whatsapp'] as const).map((value) => ({
          value,
          title: channelNames[value],
          hint: hints[value],
        }))}
        // Reset the connection, which belongs to the previously chosen app.
        onChange={(chosen) => form.change({ channel: chosen, attempt, connected, connectedName, typed })}
      />
      <div role="status">
        {way === 'kept' && (
          <p className="hint">
            <CapturedMessagesHint>
              This server has no account at {channelNames[channel]}, so nothing leaves it.
            </CapturedMessagesHint>
          </p>
        )}
        {way === 'none' && (
          <p className="reason">
            {channelNames[channel]} is not set up on this server. Its operator can do that; docs/alerts.md
            says how.
          </p>
        )}
      </div>
      <StepButtons form={form} isReady={way !== 'none'} />
    </Form>
  );
}
