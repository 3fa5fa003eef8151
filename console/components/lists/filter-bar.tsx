import { Button, CloseButton, Menu, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconFilter, IconSearch } from '../../shell/icons.ts';
import { useTypedFilter } from '../../state/use-typed-filter.ts';
import { FilterChip } from './filter-chip.tsx';
import { FilterOptions } from './filter-options.tsx';
import { Form } from '../forms/form.tsx';

export interface Filter {
  /** Name of the API's query parameter that applies the filter. */
  key: string;
  name: string;
  options: readonly (readonly [value: string, label: string])[];
}

export interface FilterBarProps {
  /** Label of the list's search field. The query parameter is `q`. */
  search: string;
  filters: readonly Filter[];
  /** Values of the list's filters in the URL. */
  values: Readonly<Record<string, string>>;
  onChange(changed: Record<string, string>): void;
  /** Buttons after the list's filters. */
  children?: ReactNode;
}

/** Search field of a list, a menu of filters, and a chip for each active filter. */
export function FilterBar({ search, filters, values, onChange, children }: FilterBarProps) {
  const [text, setText] = useTypedFilter(values['q']);
  const availableFilters = filters.filter(({ options }) => options.length > 0);
  return (
    <div className="filter-bar">
      <Form className="search-form" role="search" onSubmit={() => onChange({ q: text.trim() })}>
        <TextInput
          type="search"
          aria-label={search}
          placeholder={search}
          value={text}
          maxLength={200}
          dir="auto"
          leftSection={<IconSearch size={16} />}
          aria-keyshortcuts="/"
          rightSection={
            text !== '' && (
              <CloseButton
                size="sm"
                aria-label="Clear search"
                onClick={() => {
                  setText('');
                  onChange({ q: '' });
                }}
              />
            )
          }
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Form>
      <Menu position="bottom-start" width={200}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconFilter size={16} />}>
            Filter
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {availableFilters.map((filter) => (
            <FilterMenu
              key={filter.key}
              filter={filter}
              value={values[filter.key] ?? ''}
              onChange={(value) => onChange({ [filter.key]: value })}
            />
          ))}
        </Menu.Dropdown>
      </Menu>
      {availableFilters
        .filter(({ key }) => values[key] !== undefined)
        .map(({ key, name, options }) => (
          <FilterChip
            key={key}
            name={name}
            value={values[key] ?? ''}
            options={options}
            onChange={(value) => onChange({ [key]: value })}
          />
        ))}
      {children}
    </div>
  );
}

interface FilterMenuProps {
  filter: Filter;
  value: string;
  onChange(value: string): void;
}

function FilterMenu({ filter: { name, options }, value, onChange }: FilterMenuProps) {
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item>{name}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown className="filter-options">
        <FilterOptions value={value} options={options} onChange={onChange} />
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}
