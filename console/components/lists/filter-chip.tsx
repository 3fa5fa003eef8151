import { CloseButton, Menu, UnstyledButton } from '@mantine/core';
import { FilterOptions, type FilterOptionsProps } from './filter-options.tsx';
import { IconFilter } from '../../shell/icons.ts';

export interface FilterChipProps extends FilterOptionsProps {
  name: string;
}

/** Filter of a list: a button that opens its options. A second button turns an active filter off. */
export function FilterChip({ name, value, options, onChange }: FilterChipProps) {
  const label = options.find(([each]) => each === value)?.[1] ?? value;
  const isOn = value !== '';
  return (
    <span className="filter-chip" data-on={isOn || undefined}>
      <Menu position="bottom-start">
        <Menu.Target>
          <UnstyledButton className="filter-button">
            {!isOn && <IconFilter size={14} />}
            {isOn ? `${name}: ${label}` : name}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown className="filter-options">
          <FilterOptions value={value} options={options} onChange={onChange} />
        </Menu.Dropdown>
      </Menu>
      {isOn && <CloseButton size="xs" aria-label={`Remove filter: ${name}`} onClick={() => onChange('')} />}
    </span>
  );
}
