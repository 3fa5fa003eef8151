import { Tooltip } from '@mantine/core';
import type { NavEntry } from './nav-entries.ts';
import { useInboxCounts } from '../conversations/inbox/use-inbox-counts.ts';

export interface NavLinkProps {
  entry: NavEntry;
  /** Whether only the icon of the navigation link is visible. Screen readers still read the name. */
  isNarrow?: boolean;
  onOpen?: () => void;
}

export function NavLink({ entry, isNarrow = false, onOpen }: NavLinkProps) {
  const { name, href, icon: Icon, isCurrent, parts } = entry;
  const hasParts = parts !== undefined && parts.length > 1;
  return (
    <>
      <Tooltip label={name} position="right" disabled={!isNarrow}>
        <a
          className="nav-link"
          href={href}
          aria-current={isCurrent && !hasParts ? 'page' : undefined}
          data-current={isCurrent || undefined}
          onClick={onOpen}
        >
          <Icon />
          <span className={isNarrow ? 'unseen' : 'nav-name'}>{name}</span>
          {name === 'Inbox' && <InboxCounts />}
        </a>
      </Tooltip>
      {hasParts && isCurrent && !isNarrow && (
        <div className="nav-parts">
          {parts.map((part) => (
            <a
              key={part.name}
              className="nav-link"
              href={part.href}
              aria-current={part.isCurrent ? 'page' : undefined}
              data-current={part.isCurrent || undefined}
              onClick={onOpen}
            >
              {part.name}
            </a>
          ))}
        </div>
      )}
    </>
  );
}

function InboxCounts() {
  const { waiting, unread } = useInboxCounts();
  return (
    <>
      <Count count={waiting} what="waiting" />
      <Count count={unread} what="unread" />
    </>
  );
}

function Count({ count, what }: { count: number; what: 'waiting' | 'unread' }) {
  if (count === 0) return null;
  return (
    <span className={`nav-count ${what}`} title={`${count} ${what}`}>
      {count}
    </span>
  );
}
