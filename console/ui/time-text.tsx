const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export interface TimeTextProps {
  at: string | null;
  /** Where there is no time. */
  otherwise?: string;
}

export function TimeText({ at, otherwise = '–' }: TimeTextProps) {
  return at === null ? (
    <span>{otherwise}</span>
  ) : (
    <time dateTime={at} title={at}>
      {format.format(new Date(at))}
    </time>
  );
}
