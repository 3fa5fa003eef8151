import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useId } from 'react';
import { listScopeGroups, setAccess, toAccess, type Access } from './scopes.ts';

const accessNames: Record<Access, string> = { none: 'None', read: 'Read', write: 'Write' };

export interface ScopeFieldsProps {
  /** Names of the scopes that permit at least one API operation. */
  usable: readonly string[];
  scopes: readonly string[];
  onChange(scopes: string[]): void;
}

/** Fields that choose the access of an API key to each kind of objects. */
export function ScopeFields({ usable, scopes, onChange }: ScopeFieldsProps) {
  const id = useId();
  const groups = listScopeGroups(usable);
  const chooseAll = (access: Access) => () =>
    onChange(
      groups.flatMap(({ resource, texts }) =>
        setAccess([], resource, access === 'write' && texts.write === undefined ? 'read' : access),
      ),
    );
  return (
    <div role="group" aria-labelledby={id}>
      <Group justify="space-between" mb="xs">
        <Text id={id} className="field-label">
          Scopes
        </Text>
        <Group gap={4}>
          <Button size="compact-xs" variant="subtle" onClick={chooseAll('write')}>
            Full access
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={chooseAll('read')}>
            Read only
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange([])}>
            Clear
          </Button>
        </Group>
      </Group>
      <div className="scope-list">
        {groups.map(({ resource, title, texts }) => {
          const access = toAccess(scopes, resource);
          return (
            <div key={resource} className="scope-row">
              <div>
                <Text fw={500}>{title}</Text>
                <p className="hint">{access === 'none' ? (texts.write ?? texts.read) : texts[access]}</p>
              </div>
              <SegmentedControl
                size="xs"
                aria-label={title}
                value={access}
                data={(['none', 'read', 'write'] as const)
                  .filter((each) => each === 'none' || texts[each] !== undefined)
                  .map((each) => ({ value: each, label: accessNames[each] }))}
                onChange={(next) => onChange(setAccess(scopes, resource, next as Access))}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
