import { isOptionsGroup, Select, type OptionsFilter } from '@mantine/core';
import { matchesZone, timeZones } from './time-zones.ts';

export interface ZoneFieldProps {
  label: string;
  value: string;
  onChange(zone: string): void;
  hint?: string;
  problem?: string | undefined;
  isRequired?: boolean;
  /** Whether only screen readers get the label, because a visible text next to the field already names it. */
  isLabelHidden?: boolean;
}

const MAX_SHOWN = 60;

const filterZones: OptionsFilter = ({ options, search, limit }) =>
  options.filter((option) => !isOptionsGroup(option) && matchesZone(option.label, search)).slice(0, limit);

/** Select field for a time zone, with a search. If no time zone is selected, the server's default applies. */
export function ZoneField({
  label,
  value,
  onChange,
  hint,
  problem,
  isRequired = false,
  isLabelHidden = false,
}: ZoneFieldProps) {
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      description={hint}
      error={problem}
      data={value === '' || timeZones.includes(value) ? timeZones : [value, ...timeZones]}
      value={value || null}
      onChange={(zone) => onChange(zone ?? '')}
      required={isRequired}
      withAsterisk={false}
      searchable
      filter={filterZones}
      clearable={!isRequired}
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
      limit={MAX_SHOWN}
      nothingFoundMessage="No time zones found"
      comboboxProps={{ withinPortal: true }}
    />
  );
}
