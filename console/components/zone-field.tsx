import { Select } from '@mantine/core';

export interface ZoneFieldProps {
  label: string;
  value: string;
  onChange(zone: string): void;
  hint?: string;
  problem?: string | undefined;
  isRequired?: boolean;
  /** Whether only screen readers get the label, since a visible text next to the field says the same. */
  isLabelHidden?: boolean;
}

const MAX_SHOWN = 60;

const known = Intl.supportedValuesOf('timeZone');
const zones = known.includes('UTC') ? known : ['UTC', ...known];

/** Select field for a time zone, with a search. Without a value, the server's default applies. */
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
      data={value === '' || zones.includes(value) ? zones : [value, ...zones]}
      value={value || null}
      onChange={(zone) => onChange(zone ?? '')}
      required={isRequired}
      withAsterisk={false}
      searchable
      clearable={!isRequired}
      limit={MAX_SHOWN}
      nothingFoundMessage="No such time zone"
      comboboxProps={{ withinPortal: true }}
    />
  );
}
