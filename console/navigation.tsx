import { useStore } from './hooks/store.ts';
import { hrefOf } from './router.ts';
import { useSession } from './session/session.tsx';
import { useMay } from './session/use-may.ts';
import { ActionButton } from './ui/action-button.tsx';
import { Whoami } from './workspaces/whoami.tsx';

const areas = [
  ['inbox', 'Inbox'],
  ['conversations', 'Conversations'],
  ['bots', 'Bots'],
  ['webhooks', 'Webhooks'],
  ['team', 'Team'],
] as const;

export function Navigation({ current }: { current: string }) {
  const { feed, signOut } = useSession();
  const { entries } = useStore(feed.state);
  const may = useMay();
  const shown = areas.filter(([area]) => area !== 'webhooks' || may('webhooks:read', 'admin'));
  const waiting = [...entries.values()].filter(({ item }) => item.assigned_to_id === null).length;
  return (
    <header class="top">
      <span class="brand">Parley</span>
      <nav aria-label="Console">
        {shown.map(([area, name]) => (
          <a key={area} href={hrefOf([area])} aria-current={area === current ? 'page' : undefined}>
            {name} {area === 'inbox' && waiting > 0 && <span class="count">{waiting}</span>}
          </a>
        ))}
      </nav>
      <span class="unseen" role="status">
        {waiting} waiting for a person
      </span>
      <Whoami isAtAccount={current === 'account'} />
      <ActionButton kind="plain" onAction={signOut}>
        Sign out
      </ActionButton>
    </header>
  );
}
