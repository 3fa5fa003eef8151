import { Menu } from '@mantine/core';
import { IconMark } from '../../shell/icons.ts';

export interface FilterOptionsProps {
  /** Selected value of the filter; empty if the filter is off. */
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange(value: string): void;
}

/** Options of a list's filter in a menu, as a group of radio items. */
export function FilterOptions({ value, options, onChange }: FilterOptionsProps) {
  return options.map(([each, label]) => (
    <Menu.RadioItem
      key={each}
      value={each}
      checked={each === value}
      checkIcon={<IconMark size={14} />}
      closeMenuOnClick
      onChange={onChange}
    >
      {label}
    </Menu.RadioItem>
  ));
}
