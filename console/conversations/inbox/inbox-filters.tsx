import { BotFilter } from '../../bots/bot-filter.tsx';
import { SelectField } from '../../components/fields.tsx';

export interface InboxFiltersProps {
  filters: Record<string, string>;
  onChange(changed: Record<string, string>): void;
}

const owners = [
  ['', 'Everybody’s'],
  ['mine', 'Mine'],
  ['unassigned', 'Unassigned'],
] as const;

const states = [
  ['', 'Any state'],
  ['waiting', 'Waiting'],
  ['human', 'With a person'],
  ['present', 'Visitor is there'],
] as const;

export function InboxFilters({ filters, onChange }: InboxFiltersProps) {
  return (
    <div className="filters">
      <SelectField
        label="Whose"
        value={filters['owner'] ?? ''}
        options={owners}
        onChange={(owner) => onChange({ owner })}
      />
      <SelectField
        label="State"
        value={filters['state'] ?? ''}
        options={states}
        onChange={(state) => onChange({ state })}
      />
      <BotFilter value={filters['bot'] ?? ''} onChange={(bot) => onChange({ bot })} />
    </div>
  );
}
