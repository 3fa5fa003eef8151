import type { ArchiveJob } from '../client/types.ts';
import { formatCount } from '../components/format-count.ts';

/** Lists records that an import rejected. The API stores only the first ones. */
export function JobErrors({ job: { errors, errors_total: total } }: { job: ArchiveJob }) {
  return (
    <details>
      <summary>{formatCount(total, 'record')} could not be taken</summary>
      <ul>
        {errors.map(({ message, id }, index) => (
          <li key={index} dir="auto">
            {message} {id !== null && <code>{id}</code>}
          </li>
        ))}
      </ul>
      {total > errors.length && <p className="hint">The first {errors.length} are shown.</p>}
    </details>
  );
}
