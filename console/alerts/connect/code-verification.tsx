import { Button } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { AlertCodeSent, AlertPolicy } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useNow } from '../../state/use-now.ts';
import { useSession } from '../../session/session.tsx';
import { TextField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { channelNames, type AlertChannel } from '../alert-words.ts';
import { CapturedMessagesHint } from '../captured-messages-hint.tsx';
import { useChannelModes } from '../use-channel-modes.ts';

const PAUSE_MS = 60_000;

export interface CodeVerificationProps {
  policy: AlertPolicy;
  onVerified(policy: AlertPolicy): void;
}

interface SentCode extends AlertCodeSent {
  /** Time from which another code may be sent, by the browser's clock. */
  nextAt: number;
}

/**
 * Asks for the code that was sent to a destination, which proves that the destination belongs to the user.
 */
export function CodeVerification({ policy, onVerified }: CodeVerificationProps) {
  const { client } = useSession();
  const [sent, setSent] = useState<SentCode | null>(null);
  const [code, setCode] = useState('');
  const url = path`/api/alerts/${policy.id}`;
  const send = useAction(async () => {
    const made = await client.post<AlertCodeSent>(`${url}/verify/start`);
    const nextAt = Math.min(Date.parse(made.next_send_at), Date.now() + PAUSE_MS);
    setSent({ ...made, nextAt });
    setCode('');
  });
  const verify = useAction(async () =>
    onVerified(await client.post<AlertPolicy>(`${url}/verify`, { code: code.replaceAll(/\s/g, '') })),
  );
  return (
    <div className="stack">
      <p>
        A code of six digits goes to {channelNames[policy.channel as AlertChannel]}, to{' '}
        <strong>{policy.destination}</strong>.
      </p>
      <SendCode sent={sent} isBusy={send.isBusy} onSend={() => send.run()} />
      <ProblemMessage problem={send.problem} />
      {sent !== null && <SentText sent={sent} channel={policy.channel as AlertChannel} />}
      <Form className="stack" onSubmit={() => verify.run()}>
        <TextField
          key={sent?.next_send_at}
          label="Code"
          value={code}
          inputMode="numeric"
          pattern="\s*[0-9]{3}\s*[0-9]{3}\s*"
          maxLength={16}
          autoComplete="one-time-code"
          hint="Five tries, for ten minutes; the code that was sent last counts."
          problem={describeFieldProblem(verify.problem, 'code', 'This')}
          isFocused={sent?.ok ?? false}
          isRequired
          onChange={setCode}
        />
        <ProblemMessage problem={verify.problem} inlineFields={['code']} />
        <SubmitButton isBusy={verify.isBusy}>Verify</SubmitButton>
      </Form>
    </div>
  );
}

interface SendCodeProps {
  sent: SentCode | null;
  isBusy: boolean;
  onSend(): void;
}

/** Button that sends a code. It is disabled for a minute after each code. */
function SendCode({ sent, isBusy, onSend }: SendCodeProps) {
  const now = useNow(1000);
  const seconds = sent === null ? 0 : Math.ceil((sent.nextAt - now) / 1000);
  const isOff = isBusy || seconds > 0;
  return (
    <div className="row">
      <Button
        variant={sent === null ? 'filled' : 'default'}
        aria-disabled={isOff}
        aria-busy={isBusy}
        onClick={() => {
          if (!isOff) onSend();
        }}
      >
        {sent === null ? 'Send the code' : 'Send another code'}
      </Button>
      {seconds > 0 && <span className="hint">in {seconds} s</span>}
    </div>
  );
}

function SentText({ sent, channel }: { sent: SentCode; channel: AlertChannel }) {
  const isCaptured = useChannelModes()?.[channel] === 'kept';
  if (!sent.ok)
    return (
      <p className="problem" role="alert">
        The code has not arrived: {sent.error ?? 'nobody knows why.'}
      </p>
    );
  return (
    <p className="notice" role="status">
      The code is sent, and good until <TimeText at={sent.expires_at} />.{' '}
      {isCaptured && <CapturedMessagesHint>There is no provider here.</CapturedMessagesHint>}
    </p>
  );
}
