import { dataParts } from './data/data-parts.ts';
import { useInView } from './hooks/use-in-view.ts';
import { useInboxCounts } from './conversations/inbox/inbox-counts.ts';
import { buildHref } from './router.ts';
import { SignOutButton } from './session/sign-out-button.tsx';
import { usePermission } from './session/use-permission.ts';
import { WorkspaceBanner } from './team/workspaces/workspace-banner.tsx';
import { Whoami } from './team/workspaces/whoami.tsx';

const areas = [
  ['inbox', 'Inbox'],
  ['conversations', 'Conversations'],
  ['bookings', 'Bookings'],
  ['bots', 'Bots'],
  ['analytics', 'Analytics'],
  ['usage', 'Usage'],
  ['alerts', 'Alerts'],
  ['webhooks', 'Webhooks'],
  ['team', 'Team'],
  ['billing', 'Billing'],
  ['data', 'Data'],
] as const;

export function Navigation({ current }: { current: string }) {
  const { waiting, unread } = useInboxCounts();
  const may = usePermission();
  const parts = dataParts.flatMap(([part]) => (may(`${part}:read`, 'admin') ? [part] : []));
  const isCurrent = (area: string) =>
    area === current || (area === 'data' && parts.some((part) => part === current));
  const shown = areas.filter(([area]) => {
    if (area === 'data') return parts.length > 0;
    if (area === 'webhooks' || area === 'billing') return may(`${area}:read`, 'admin');
    if (area === 'alerts' || area === 'analytics' || area === 'bookings' || area === 'usage')
      return may(`${area}:read`, 'viewer');
    return true;
  });
  const list = useInView(current, shown.length);
  return (
    <>
      <header class="top">
        <span class="brand">Parley</span>
        <nav ref={list} aria-label="Console">
          {shown.map(([area, name]) => (
            <a
              key={area}
              href={buildHref([area === 'data' ? parts[0]! : area])}
              aria-current={isCurrent(area) ? 'page' : undefined}
            >
              {name}
              {area === 'inbox' && (
                <>
                  <Count count={waiting} what="waiting for a person" kind="waiting" />
                  <Count count={unread} what="unread" kind="unread" />
                </>
              )}
            </a>
          ))}
        </nav>
        <span class="unseen" role="status">
          {waiting} waiting for a person, {unread} unread
        </span>
        <Whoami isAtAccount={current === 'account'} />
        <SignOutButton />
      </header>
      <WorkspaceBanner />
    </>
  );
}

function Count({ count, what, kind }: { count: number; what: string; kind: 'waiting' | 'unread' }) {
  if (count === 0) return null;
  return (
    <span class={`count ${kind}`} title={`${count} ${what}`}>
      {count}
    </span>
  );
}
