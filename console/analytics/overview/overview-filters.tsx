import { BotFilter } from '../../bots/bot-filter.tsx';
import type { DayRange } from '../../bookings/day-range.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { ZoneField } from '../../ui/zone-field.tsx';
import { CUSTOM, USUAL_DAYS } from './overview-range.ts';

export interface OverviewFiltersProps {
  filters: Record<string, string>;
  range: DayRange;
  zone: string;
  problems: { range: string | undefined; zone: string | undefined };
  onChange(changed: Record<string, string>): void;
}

const ranges = [
  ['7', 'Last 7 days'],
  [USUAL_DAYS, 'Last 30 days'],
  ['92', 'Last 92 days'],
  ['365', 'Last 365 days'],
  [CUSTOM, 'From day to day'],
] as const;

export function OverviewFilters({ filters, range, zone, problems, onChange }: OverviewFiltersProps) {
  const days = filters['days'] ?? USUAL_DAYS;
  return (
    <div class="filters" role="search">
      <SelectField
        label="Days"
        value={days}
        options={ranges}
        onChange={(chosen) =>
          onChange(chosen === CUSTOM ? { days: chosen, ...range } : { days: chosen, from: '', until: '' })
        }
      />
      {days === CUSTOM && (
        <>
          <TextField label="From" type="date" value={range.from} onChange={(from) => onChange({ from })} />
          <TextField
            label="Until"
            type="date"
            value={range.until}
            onChange={(until) => onChange({ until })}
            problem={problems.range}
          />
        </>
      )}
      <BotFilter value={filters['bot_id'] ?? ''} onChange={(botId) => onChange({ bot_id: botId })} />
      <ZoneField
        label="Time zone"
        value={zone}
        onChange={(timezone) => onChange({ timezone })}
        problem={problems.zone}
      />
    </div>
  );
}
