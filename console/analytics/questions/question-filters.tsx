import { BotFilter } from '../../bots/bot-filter.tsx';
import { SelectField } from '../../components/forms/fields.tsx';

export interface QuestionFiltersProps {
  filters: Record<string, string>;
  chosen: QuestionSelection;
  onChange(changed: Record<string, string>): void;
}

const DEFAULT_DAYS = '30';

const ranges = [
  ['7', 'Last 7 days'],
  [DEFAULT_DAYS, 'Last 30 days'],
  ['90', 'Last 90 days'],
] as const;

const orders = [
  ['', 'Unanswered first'],
  ['asked', 'Most asked first'],
] as const;

/** Values of the filters of the questions page: the number of days and the order. */
export interface QuestionSelection {
  days: string;
  sort: string;
}

/** Reads the filters of the questions page from the URL; replaces unknown values by defaults. */
export function readQuestionFilters({ days, sort }: Record<string, string>): QuestionSelection {
  return {
    days: ranges.find(([range]) => range === days)?.[0] ?? DEFAULT_DAYS,
    sort: orders.find(([order]) => order === sort)?.[0] ?? '',
  };
}

export function QuestionFilters({ filters, chosen, onChange }: QuestionFiltersProps) {
  return (
    <div className="filters">
      <SelectField
        label="Period"
        value={chosen.days}
        options={ranges}
        onChange={(days) => onChange({ days })}
      />
      <BotFilter value={filters['bot_id'] ?? ''} onChange={(botId) => onChange({ bot_id: botId })} />
      <SelectField
        label="Sort by"
        value={chosen.sort}
        options={orders}
        onChange={(sort) => onChange({ sort })}
      />
    </div>
  );
}
