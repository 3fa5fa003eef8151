import { BotFilter } from '../../bots/bot-filter.tsx';
import type { DayRange } from '../../bookings/day-range.ts';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { ZoneField } from '../../components/zones/zone-field.tsx';
import { readChosenRange, CUSTOM, ranges } from './overview-range.ts';

export interface OverviewFiltersProps {
  filters: Record<string, string>;
  range: DayRange;
  zone: string;
  problems: { range: string | undefined; zone: string | undefined };
  onChange(changed: Record<string, string>): void;
}

export function OverviewFilters({ filters, range, zone, problems, onChange }: OverviewFiltersProps) {
  const days = readChosenRange(filters);
  return (
    <div className="filters" role="search">
      <SelectField
        label="Period"
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
            label="To"
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
