import { Alert } from '@mantine/core';
import { Form } from '../../components/forms/form.tsx';
import { RadioChoices } from '../../components/forms/radio-choices.tsx';
import { channelNames, type AlertChannel } from '../alert-words.ts';
import { CapturedMessagesHint } from '../captured-messages-hint.tsx';
import { useChannelModes } from '../use-channel-modes.ts';
import { StepButtons } from './step-buttons.tsx';
import { emptyWizardDraft, type StepProps } from './wizard-draft.ts';

const hints: Readonly<Record<AlertChannel, string>> = {
  telegram: 'A chat with one person, or a group chat.',
  whatsapp: 'A phone number.',
};

export function ChannelStep({ form }: StepProps) {
  const { channel } = form.draft;
  const modes = useChannelModes();
  const mode = modes?.[channel];
  const { attempt, connected, connectedName, typed } = emptyWizardDraft;
  return (
    <Form isReady={mode !== 'none'} onSubmit={() => form.change({ step: 'destination' })}>
      <RadioChoices
        legend="Channel"
        value={channel}
        choices={(['telegram', 'whatsapp'] as const).map((value) => ({
          value,
          title: channelNames[value],
          hint: hints[value],
        }))}
        // Reset the connected chat, which belongs to the previously chosen messaging app.
        onChange={(chosen) => form.change({ channel: chosen, attempt, connected, connectedName, typed })}
      />
      <div role="status">
        {mode === 'kept' && (
          <p className="hint">
            <CapturedMessagesHint>
              This server has no {channelNames[channel]} account, so nothing is sent.
            </CapturedMessagesHint>
          </p>
        )}
        {mode === 'none' && (
          <Alert color="yellow">
            {channelNames[channel]} isn't set up on this server. Ask your operator, or see docs/alerts.md.
          </Alert>
        )}
      </div>
      <StepButtons form={form} isReady={mode !== 'none'} />
    </Form>
  );
}
