import type { UsageSummary } from '../client/types.ts';
import { hrefOf } from '../router.ts';
import { useMay } from '../session/use-may.ts';
import { limitName, type LimitName } from './limit-uses.ts';

/** Effects of each limit, and remedies besides another plan. */
const consequences: Readonly<Record<LimitName, string>> = {
  messages_per_month: 'Visitors get no more answers until the month ends (UTC), unless there is a top-up.',
  documents: 'No document is added until some are deleted.',
  bots: 'No bot is made until some are archived or deleted.',
  seats: 'No invitations until some are revoked, or members become viewers.',
  alerts_per_month: 'Alerts are held, and summed up as soon as there is room.',
};

/** Lists reached limits with remedies; renders nothing if none is reached. */
export function ExceededLimits({ usage }: { usage: UsageSummary }) {
  const may = useMay();
  if (usage.exceeded.length === 0) return null;
  return (
    <div class="problem" role="status">
      {usage.exceeded.map((limit) => (
        <p key={limit}>
          <strong>{limitName[limit]}:</strong> {consequences[limit]}
        </p>
      ))}
      <p>
        An owner of the workspace that pays can choose a larger plan
        {usage.exceeded.includes('messages_per_month') && ', or buy a top-up of messages'}.{' '}
        {may('billing:read', 'admin') && <a href={hrefOf(['billing'])}>See the plans</a>}
      </p>
    </div>
  );
}
