import type { Delivery } from '../client/types.ts';
import { Badge } from '../ui/badge.tsx';
import { Table } from '../ui/table.tsx';
import { TimeText } from '../ui/time-text.tsx';

/** Lists the attempts to send a delivery, with their results. */
export function AttemptTable({ attempts }: { attempts: Delivery['attempt_log'] }) {
  if (attempts.length === 0) return <p class="hint">There was none yet.</p>;
  return (
    <Table columns={['No.', 'When', 'Outcome', 'Answer', 'Took', 'Reason']}>
      {attempts.map((attempt) => (
        <tr key={attempt.number}>
          <td>{attempt.number}</td>
          <td>
            <TimeText at={attempt.at} />
          </td>
          <td>
            <Badge state={attempt.outcome} />
          </td>
          <td>{attempt.response_status ?? '–'}</td>
          <td>{attempt.duration_ms === null ? '–' : `${attempt.duration_ms} ms`}</td>
          <td class="wide">{attempt.reason ?? '–'}</td>
        </tr>
      ))}
    </Table>
  );
}
