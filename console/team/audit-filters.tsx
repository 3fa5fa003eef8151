import { Button } from '@mantine/core';
import { useTypedFilter } from '../state/use-typed-filter.ts';
import { goTo, buildHref } from '../router.ts';
import { SelectField, TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { useMembers } from './use-members.ts';
import type { AuditTabProps } from './audit-tab-props.ts';

export function AuditFilters({ team, filters }: AuditTabProps) {
  const { data: members = [] } = useMembers(team);
  const [operation, setOperation] = useTypedFilter(filters['operation']);
  const [kind, setKind] = useTypedFilter(filters['resource_type']);
  const filterBy = (changed: Record<string, string>) =>
    goTo(buildHref(['team', 'audit'], { ...filters, ...changed }));
  return (
    <Form
      className="filters"
      role="search"
      onSubmit={() => filterBy({ operation: operation.trim(), resource_type: kind.trim() })}
    >
      <SelectField
        label="Person"
        value={filters['user_id'] ?? ''}
        options={[
          ['', 'Everybody'],
          ...members.map(({ user_id: id, full_name: name }) => [id, name] as const),
        ]}
        onChange={(userId) => filterBy({ user_id: userId })}
      />
      <TextField
        label="Since"
        type="date"
        value={filters['since'] ?? ''}
        onChange={(since) => filterBy({ since })}
      />
      <TextField
        label="Operation"
        value={operation}
        onChange={setOperation}
        placeholder="updateBot"
        maxLength={100}
      />
      <TextField label="Kind of thing" value={kind} onChange={setKind} placeholder="bot" maxLength={100} />
      <Button variant="default" type="submit">
        Search
      </Button>
    </Form>
  );
}
