import type { UsageSummary } from '../client/types.ts';
import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { limitNames, type LimitName } from './limit-uses.ts';

/** Explains what stops at each limit, and what helps apart from a larger plan. */
const consequences: Readonly<Record<LimitName, string>> = {
  messages_per_month: 'Visitors get no more answers until the month ends (UTC), unless there is a top-up.',
  documents: 'No document is added until some are deleted.',
  bots: 'No bot is made until some are archived or deleted.',
  seats: 'No invitations until some are revoked, or members become viewers.',
  alerts_per_month: 'Alerts are held, and summed up as soon as there is room.',
};

/** Explains which limits of the plan are reached, and what to do. Renders nothing if none is reached. */
export function ExceededLimits({ usage }: { usage: UsageSummary }) {
  const may = usePermission();
  if (usage.exceeded.length === 0) return null;
  return (
    <div className="problem" role="status">
      {usage.exceeded.map((limit) => (
        <p key={limit}>
          <strong>{limitNames[limit]}:</strong> {consequences[limit]}
        </p>
      ))}
      <p>
        An owner of the workspace that pays can choose a larger plan
        {usage.exceeded.includes('messages_per_month') && ', or buy a top-up of messages'}.{' '}
        {may('billing:read', 'admin') && <a href={buildHref(['billing'])}>See the plans</a>}
      </p>
    </div>
  );
}
