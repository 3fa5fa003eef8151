import type { AlertTest } from '../client/types.ts';
import { channelNames, type AlertChannel } from './alert-words.ts';
import { CapturedMessagesHint } from './captured-messages-hint.tsx';
import { useChannelModes } from './use-channel-modes.ts';

export interface TestOutcomeProps {
  test: AlertTest;
  channel: AlertChannel;
}

/** Shows whether a test message has arrived. */
export function TestOutcome({ test: { ok, error, duration_ms: durationMs }, channel }: TestOutcomeProps) {
  const isCaptured = useChannelModes()?.[channel] === 'kept';
  return (
    <p className={ok ? 'notice' : 'problem'} role="status">
      {!ok && `The test has not arrived: ${error ?? 'nobody knows why.'}`}
      {ok &&
        !isCaptured &&
        `${channelNames[channel]} has taken the test after ${durationMs} ms. Look at the phone.`}
      {ok && isCaptured && (
        <CapturedMessagesHint>The test was kept after {durationMs} ms.</CapturedMessagesHint>
      )}
    </p>
  );
}
