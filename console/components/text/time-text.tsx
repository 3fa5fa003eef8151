import { formatFullTime } from './format-time.ts';

export interface TimeTextProps {
  at: string | null;
  /** Text to show for a missing time; a dash by default. */
  otherwise?: string;
}

export function TimeText({ at, otherwise = '–' }: TimeTextProps) {
  return at === null ? (
    <span>{otherwise}</span>
  ) : (
    <time dateTime={at} title={at}>
      {formatFullTime(at)}
    </time>
  );
}
