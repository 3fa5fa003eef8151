import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { AlertCodeSent, AlertPolicy } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useNow } from '../../state/use-now.ts';
import { useSession } from '../../session/session.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { TimeText } from '../../components/text/time-text.tsx';
import { channelNames, type AlertChannel } from '../alert-words.ts';
import { CapturedMessagesHint } from '../captured-messages-hint.tsx';
import { useChannelModes } from '../use-channel-modes.ts';

const PAUSE_MS = 60_000;

export interface CodeVerificationProps {
  policy: AlertPolicy;
  onVerified(policy: AlertPolicy): void;
}

interface SentCode extends AlertCodeSent {
  /**
   * Time in milliseconds since the epoch from which the user may request another code, by the browser's
   * clock.
   */
  nextAt: number;
}

/**
 * Asks for the code that was sent to the destination of alerts, which proves that the destination belongs to
 * the user.
 */
export function CodeVerification({ policy, onVerified }: CodeVerificationProps) {
  const { client } = useSession();
  const [sent, setSent] = useState<SentCode | null>(null);
  const [code, setCode] = useState('');
  const url = path`/api/alerts/${policy.id}`;
  const send = useAction(async () => {
    const sentCode = await client.post<AlertCodeSent>(`${url}/verify/start`);
    const nextAt = Math.min(Date.parse(sentCode.next_send_at), Date.now() + PAUSE_MS);
    setSent({ ...sentCode, nextAt });
    setCode('');
  });
  const verify = useAction(async () =>
    onVerified(await client.post<AlertPolicy>(`${url}/verify`, { code: code.replaceAll(/\s/g, '') })),
  );
  return (
    <Stack>
      <Text>
        We send a 6-digit code to <strong>{policy.destination}</strong> on{' '}
        {channelNames[policy.channel as AlertChannel]}.
      </Text>
      <SendCode sent={sent} isBusy={send.isBusy} onSend={() => send.run()} />
      <ProblemMessage problem={send.problem} />
      {sent !== null && <SentText sent={sent} channel={policy.channel as AlertChannel} />}
      <Form onSubmit={() => verify.run()}>
        <TextField
          key={sent?.next_send_at}
          label="Code"
          value={code}
          inputMode="numeric"
          pattern="\s*[0-9]{3}\s*[0-9]{3}\s*"
          maxLength={16}
          autoComplete="one-time-code"
          hint="Valid for 10 minutes and 5 attempts. Only the latest code works."
          problem={describeFieldProblem(verify.problem, 'code', 'This')}
          isFocused={sent?.ok ?? false}
          isRequired
          onChange={setCode}
        />
        <ProblemMessage problem={verify.problem} inlineFields={['code']} />
        <SubmitButton isBusy={verify.isBusy}>Verify</SubmitButton>
      </Form>
    </Stack>
  );
}

interface SendCodeProps {
  sent: SentCode | null;
  isBusy: boolean;
  onSend(): void;
}

/**
 * Button that sends a verification code to the destination of alerts. It is disabled for a minute after each
 * code.
 */
function SendCode({ sent, isBusy, onSend }: SendCodeProps) {
  const now = useNow(1000);
  const seconds = sent === null ? 0 : Math.ceil((sent.nextAt - now) / 1000);
  const isOff = isBusy || seconds > 0;
  return (
    <Group>
      <Button
        variant={sent === null ? 'filled' : 'default'}
        aria-disabled={isOff}
        data-inactive={isOff || undefined}
        aria-busy={isBusy}
        onClick={() => {
          if (!isOff) onSend();
        }}
      >
        {sent === null ? 'Send code' : 'Resend code'}
      </Button>
      {seconds > 0 && <p className="hint">in {seconds} s</p>}
    </Group>
  );
}

function SentText({ sent, channel }: { sent: SentCode; channel: AlertChannel }) {
  const isCaptured = useChannelModes()?.[channel] === 'kept';
  if (!sent.ok) return <Alert color="red">Code not delivered: {sent.error ?? 'unknown error'}</Alert>;
  return (
    <Alert color="green" role="status">
      Code sent. It's valid until <TimeText at={sent.expires_at} />.{' '}
      {isCaptured && (
        <CapturedMessagesHint>This server has no account with the provider.</CapturedMessagesHint>
      )}
    </Alert>
  );
}
