export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** Hours in which people answer, in a time zone: `09:00` to `17:00`, or `24:00` for the end of the day. */
export type HandoffHours = {
  timezone: string;
  periods: { days: Weekday[]; opens: string; closes: string }[];
};

/** Settings with the API's field names; further keys are stored as sent. */
export type HandoffConfig = {
  waiting_message?: string | null;
  closed_message?: string | null;
  /** Null means always. */
  hours?: HandoffHours | null;
  accepts_when_closed?: boolean;
  /** Ids or e-mail addresses of members; empty for all who may answer. */
  notify?: string[] | null;
};
