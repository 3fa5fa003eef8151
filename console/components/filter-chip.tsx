import { CloseButton, Menu, UnstyledButton } from '@mantine/core';
import { IconFilter, IconMark } from '../shell/icons.ts';

export interface FilterChipProps {
  name: string;
  /** Selected value; empty if the filter is off. */
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange(value: string): void;
}

/** Filter of a list: a button that opens its options, and that can be removed while it is on. */
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
          {options.map(([each, text]) => (
            <Menu.RadioItem
              key={each}
              value={each}
              checked={each === value}
              checkIcon={<IconMark size={14} />}
              closeMenuOnClick
              onChange={onChange}
            >
              {text}
            </Menu.RadioItem>
          ))}
        </Menu.Dropdown>
      </Menu>
      {isOn && <CloseButton size="xs" aria-label={`Remove filter: ${name}`} onClick={() => onChange('')} />}
    </span>
  );
}
