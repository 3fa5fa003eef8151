import { Alert } from '@mantine/core';
import type { AlertTest } from '../client/types.ts';
import { channelNames, type AlertChannel } from './alert-words.ts';
import { CapturedMessagesHint } from './captured-messages-hint.tsx';
import { useChannelModes } from './use-channel-modes.ts';

export interface TestOutcomeProps {
  test: AlertTest;
  channel: AlertChannel;
}

/** Shows whether a test message of an alert policy has arrived. */
export function TestOutcome({ test: { ok, error, duration_ms: durationMs }, channel }: TestOutcomeProps) {
  const isCaptured = useChannelModes()?.[channel] === 'kept';
  return (
    <Alert role="status" color={ok ? 'green' : 'red'}>
      {!ok && `Test message not delivered: ${error ?? 'unknown error'}`}
      {ok &&
        !isCaptured &&
        `${channelNames[channel]} accepted the test message after ${durationMs} ms. Check the phone.`}
      {ok && isCaptured && (
        <CapturedMessagesHint>Test message saved after {durationMs} ms.</CapturedMessagesHint>
      )}
    </Alert>
  );
}
