import { List } from '@mantine/core';
import type { ArchiveJob } from '../client/types.ts';
import { Details } from '../components/page/details.tsx';
import { formatCount } from '../components/text/format-count.ts';

/** Lists records that an import of conversations rejected. The API stores only the first errors. */
export function JobErrors({ job: { errors, errors_total: total } }: { job: ArchiveJob }) {
  return (
    <Details title={`${formatCount(total, 'record')} rejected`}>
      <List size="sm">
        {errors.map(({ message, id }, index) => (
          <List.Item key={index} dir="auto">
            {message} {id !== null && <code>{id}</code>}
          </List.Item>
        ))}
      </List>
      {total > errors.length && <p className="hint">Showing the first {errors.length}.</p>}
    </Details>
  );
}
