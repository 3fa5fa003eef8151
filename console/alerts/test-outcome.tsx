import type { AlertTest } from '../client/types.ts';
import { channelNames, type AlertChannel } from './alert-words.ts';
import { KeptMessages } from './kept-messages.tsx';
import { useChannelWays } from './use-channel-ways.ts';

export interface TestOutcomeProps {
  test: AlertTest;
  channel: AlertChannel;
}

/** Result of a test message. */
export function TestOutcome({ test: { ok, error, duration_ms: durationMs }, channel }: TestOutcomeProps) {
  const isKept = useChannelWays()?.[channel] === 'kept';
  return (
    <p class={ok ? 'notice' : 'problem'} role="status">
      {!ok && `The test has not arrived: ${error ?? 'nobody knows why.'}`}
      {ok &&
        !isKept &&
        `${channelNames[channel]} has taken the test after ${durationMs} ms. Look at the phone.`}
      {ok && isKept && <KeptMessages>The test was kept after {durationMs} ms.</KeptMessages>}
    </p>
  );
}
