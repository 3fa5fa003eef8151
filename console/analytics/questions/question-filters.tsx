import { BotFilter } from '../../bots/bot-filter.tsx';
import { SelectField } from '../../ui/fields.tsx';

export interface QuestionFiltersProps {
  filters: Record<string, string>;
  onChange(changed: Record<string, string>): void;
}

export const USUAL_DAYS = '30';

const ranges = [
  ['7', 'Last 7 days'],
  [USUAL_DAYS, 'Last 30 days'],
  ['92', 'Last 92 days'],
] as const;

const orders = [
  ['', 'Unanswered first'],
  ['asked', 'Most asked first'],
] as const;

export function QuestionFilters({ filters, onChange }: QuestionFiltersProps) {
  return (
    <div class="filters">
      <SelectField
        label="Days"
        value={filters['days'] ?? USUAL_DAYS}
        options={ranges}
        onChange={(days) => onChange({ days })}
      />
      <BotFilter value={filters['bot_id'] ?? ''} onChange={(botId) => onChange({ bot_id: botId })} />
      <SelectField
        label="Order"
        value={filters['sort'] ?? ''}
        options={orders}
        onChange={(sort) => onChange({ sort })}
      />
    </div>
  );
}
