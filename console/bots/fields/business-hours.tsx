import { ActionIcon, Button, NativeSelect, Switch } from '@mantine/core';
import type { Weekday } from '../../../core/conversations/handoff-config.ts';
import { capitalize } from '../../components/text/capitalize.ts';
import { IconPlus } from '../../shell/icons.ts';
import { IconClose } from '../icons.ts';
import { formatDayHours, parseDayHours, weekdays, type DayHours, type HourRange } from './handoff-draft.ts';

const MINUTES_PER_STEP = 15;
const MAX_RANGES = 4;
const END_OF_DAY = '24:00';
const defaultRange: HourRange = { opens: '09:00', closes: '17:00' };

const times = Array.from({ length: (24 * 60) / MINUTES_PER_STEP + 1 }, (_, step) => {
  const minutes = step * MINUTES_PER_STEP;
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
});

export interface BusinessHoursProps {
  /** Business hours as JSON; empty if the bot has none. */
  value: string;
  problem: string | undefined;
  onChange(hours: string): void;
}

/** Editor of a bot's business hours on each weekday. */
export function BusinessHours({ value, problem, onChange }: BusinessHoursProps) {
  const hours = parseDayHours(value);
  const change = (day: Weekday, ranges: readonly HourRange[]): void =>
    onChange(formatDayHours({ ...hours, [day]: ranges }));
  const copyToAll = (ranges: readonly HourRange[]): void =>
    onChange(formatDayHours(Object.fromEntries(weekdays.map((day) => [day, ranges])) as DayHours));
  return (
    <div className="hours" role="group" aria-label="Business hours">
      {weekdays.map((day) => (
        <DayRow
          key={day}
          day={day}
          ranges={hours[day] ?? []}
          onChange={(ranges) => change(day, ranges)}
          onCopy={() => copyToAll(hours[day] ?? [])}
        />
      ))}
      {problem !== undefined && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface DayRowProps {
  day: Weekday;
  ranges: readonly HourRange[];
  onChange(ranges: readonly HourRange[]): void;
  onCopy(): void;
}

function DayRow({ day, ranges, onChange, onCopy }: DayRowProps) {
  const name = capitalize(day);
  const isOpen = ranges.length > 0;
  const last = ranges.at(-1);
  const mayAdd = isOpen && ranges.length < MAX_RANGES && last!.closes < '23:00';
  return (
    <div className="hours-day" role="group" aria-label={name}>
      <Switch
        label={name}
        checked={isOpen}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? [defaultRange] : [])}
      />
      {isOpen ? (
        <>
          <div className="hours-ranges">
            {ranges.map((range, at) => (
              <div key={at} className="hours-range">
                <TimeSelect
                  label={`${name} from`}
                  value={range.opens}
                  options={times.slice(0, -1)}
                  onChange={(opens) => onChange(ranges.with(at, withLaterEnd(opens, range.closes)))}
                />
                <span aria-hidden="true">–</span>
                <TimeSelect
                  label={`${name} to`}
                  value={range.closes}
                  options={times.filter((time) => time > range.opens)}
                  onChange={(closes) => onChange(ranges.with(at, { ...range, closes }))}
                />
                {ranges.length > 1 && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove hours ${range.opens}–${range.closes} on ${name}`}
                    onClick={() => onChange(ranges.toSpliced(at, 1))}
                  >
                    <IconClose size={16} />
                  </ActionIcon>
                )}
              </div>
            ))}
          </div>
          <div className="hours-tools">
            {mayAdd && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Add hours on ${name}`}
                onClick={() => onChange([...ranges, followRange(last!)])}
              >
                <IconPlus size={16} />
              </ActionIcon>
            )}
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-label={`Copy to all ${name}`}
              onClick={onCopy}
            >
              Copy to all
            </Button>
          </div>
        </>
      ) : (
        <span className="hours-closed">Closed</span>
      )}
    </div>
  );
}

interface TimeSelectProps {
  label: string;
  value: string;
  options: readonly string[];
  onChange(time: string): void;
}

function TimeSelect({ label, value, options, onChange }: TimeSelectProps) {
  const data = options.includes(value) ? [...options] : [...options, value].toSorted();
  return (
    <NativeSelect
      className="hours-time"
      aria-label={label}
      value={value}
      data={data}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Returns a range of business hours from `opens`, with the same end if that end is later than `opens`. */
function withLaterEnd(opens: string, closes: string): HourRange {
  return { opens, closes: closes > opens ? closes : (times[times.indexOf(opens) + 4] ?? END_OF_DAY) };
}

/** Returns a range of business hours that begins an hour after the end of another range. */
function followRange({ closes }: HourRange): HourRange {
  const opens = times.find((time) => time >= closes && times.indexOf(time) % 4 === 0)!;
  return withLaterEnd(times[times.indexOf(opens) + 4] ?? opens, '');
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
