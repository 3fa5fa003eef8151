const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function formatFullTime(at: string): string {
  return format.format(new Date(at));
}

export interface TimeTextProps {
  at: string | null;
  /** Text to show if there is no time; a dash by default. */
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
