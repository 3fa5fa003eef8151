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

/**
 * Hours in which members of the team answer, in the given time zone: for example `09:00` to `17:00`. The end
 * of a day is `24:00`.
 */
export type HandoffHours = {
  timezone: string;
  periods: { days: Weekday[]; opens: string; closes: string }[];
};

/** Handoff settings of a bot, with the names of the API's fields. Unknown keys are stored unchanged. */
export type HandoffConfig = {
  waiting_message?: string | null;
  closed_message?: string | null;
  /** Hours in which members of the team answer; null if they always answer. */
  hours?: HandoffHours | null;
  accepts_when_closed?: boolean;
  /**
   * Ids or email addresses of members to notify of a waiting visitor; if empty, all members who may answer are
   * notified.
   */
  notify?: string[] | null;
};
