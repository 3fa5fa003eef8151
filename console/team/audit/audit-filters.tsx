import { TextInput } from '@mantine/core';
import { FilterChip } from '../../components/lists/filter-chip.tsx';
import { buildHref, goTo } from '../../router.ts';
import { useMembers } from '../members/use-members.ts';
import type { LogPageProps } from '../keys/log-view.tsx';
import { operationOptions, resourceOptions } from './audit-words.ts';

/** Filters of the audit log, which the URL contains. */
export function AuditFilters({ team, filters }: LogPageProps) {
  const { data: members = [] } = useMembers(team);
  const filterBy = (name: string) => (value: string) =>
    goTo(buildHref(['team', 'audit'], { ...filters, [name]: value }));
  return (
    <div className="filter-bar" role="group" aria-label="Filters">
      <FilterChip
        name="Person"
        value={filters['user_id'] ?? ''}
        options={members.map(({ user_id: id, full_name: name }) => [id, name] as const)}
        onChange={filterBy('user_id')}
      />
      <FilterChip
        name="Resource"
        value={filters['resource_type'] ?? ''}
        options={resourceOptions}
        onChange={filterBy('resource_type')}
      />
      <FilterChip
        name="Operation"
        value={filters['operation'] ?? ''}
        options={operationOptions}
        onChange={filterBy('operation')}
      />
      {filters['resource_id'] !== undefined && (
        <FilterChip
          name="Object"
          value={filters['resource_id']}
          options={[[filters['resource_id'], 'Selected']]}
          onChange={filterBy('resource_id')}
        />
      )}
      <TextInput
        type="date"
        size="xs"
        label="Since"
        classNames={{ root: 'filter-date' }}
        value={filters['since'] ?? ''}
        onChange={({ currentTarget }) => filterBy('since')(currentTarget.value)}
      />
    </div>
  );
}
