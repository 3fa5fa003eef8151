import { Button } from '@mantine/core';
import { BotFilter } from '../../bots/bot-filter.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { isDay, getAdjacentRange, moveRange, type DayRange } from '../day-range.ts';

export interface BookingFiltersProps {
  range: DayRange;
  filters: Record<string, string>;
  problem: string | undefined;
  onChange(changed: Record<string, string>): void;
}

const statuses = [
  ['', 'All statuses'],
  ['confirmed', 'Confirmed'],
  ['cancelled', 'Canceled'],
] as const;

export function BookingFilters({ range, filters, problem, onChange }: BookingFiltersProps) {
  const selectDays = (days: DayRange): void => onChange({ ...days });
  return (
    <Form className="filters" role="search" onSubmit={() => undefined}>
      <TextField
        label="From"
        type="date"
        value={range.from}
        onChange={(from) => {
          if (isDay(from)) selectDays(moveRange(range, from));
        }}
      />
      <TextField
        label="To"
        type="date"
        value={range.until}
        onChange={(until) => {
          if (isDay(until)) selectDays({ ...range, until });
        }}
        problem={problem}
      />
      <SelectField
        label="Status"
        value={filters['status'] ?? ''}
        options={statuses}
        onChange={(status) => onChange({ status })}
      />
      <BotFilter value={filters['bot_id'] ?? ''} onChange={(botId) => onChange({ bot_id: botId })} />
      <div className="row" role="group" aria-label="Other days">
        <Button variant="default" onClick={() => selectDays(getAdjacentRange(range, -1))}>
          Earlier
        </Button>
        <Button variant="default" onClick={() => onChange({ from: '', until: '' })}>
          Today
        </Button>
        <Button variant="default" onClick={() => selectDays(getAdjacentRange(range, 1))}>
          Later
        </Button>
      </div>
    </Form>
  );
}
