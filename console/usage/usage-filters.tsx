import { CheckboxField, SelectField } from '../components/forms/fields.tsx';
import {
  groups,
  measures,
  listMonths,
  formatMonth,
  type UsageSelection,
  type Measure,
} from './usage-selection.ts';

export interface UsageFiltersProps {
  chosen: UsageSelection;
  onChange(changed: Record<string, string>): void;
}

export function UsageFilters({ chosen, onChange }: UsageFiltersProps) {
  return (
    <div className="field-row">
      <SelectField
        label="Month"
        value={chosen.month}
        options={listMonths(new Date()).map((month) => [month, formatMonth(month)] as const)}
        onChange={(month) => onChange({ month })}
      />
      <SelectField
        label="Metric"
        value={chosen.measure}
        options={Object.entries(measures) as [Measure, string][]}
        onChange={(measure) => onChange({ measure })}
      />
      <SelectField
        label="Group by"
        value={chosen.groupBy}
        options={groups}
        onChange={(groupBy) => onChange({ group_by: groupBy })}
      />
      <CheckboxField
        label="Include sub-workspaces"
        isChecked={chosen.includesChildren}
        onChange={(isChecked) => onChange({ children: isChecked ? 'true' : '' })}
      />
    </div>
  );
}
