import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { IconCollapse, IconExpand, IconSearch } from './icons.ts';
import type { NavSection } from './nav-entries.ts';
import { NavLink } from './nav-link.tsx';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';

const NAME = 'parley.sidebar';
const NARROW = 'narrow';

export interface SidebarProps {
  sections: readonly NavSection[];
  isAtAccount: boolean;
  openPalette(): void;
}

/**
 * Navigation at the left of the console. In small windows, and when the user has collapsed the sidebar, it
 * shows only icons.
 */
export function Sidebar({ sections, isAtAccount, openPalette }: SidebarProps) {
  const isSmall = useMediaQuery('(max-width: 1023px)', false, { getInitialValueInEffect: false });
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(NAME) === NARROW);
  const isNarrow = isSmall || isCollapsed;
  const toggle = (): void => {
    if (isCollapsed) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, NARROW);
    setCollapsed(!isCollapsed);
  };
  const toggleName = isCollapsed ? 'Expand sidebar' : 'Collapse sidebar';
  return (
    <aside className="sidebar" aria-label="Sidebar" data-narrow={isNarrow || undefined}>
      <div className="sidebar-head">
        <WorkspaceMenu isNarrow={isNarrow} />
      </div>
      <Tooltip label="Search" position="right" disabled={!isNarrow}>
        <UnstyledButton className="nav-link search-button" onClick={openPalette}>
          <IconSearch />
          <span className={isNarrow ? 'unseen' : 'nav-name'}>
            Search<span className="unseen"> pages and actions</span>
          </span>
          {!isNarrow && <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>}
        </UnstyledButton>
      </Tooltip>
      <nav className="sidebar-nav" aria-label="Console">
        {sections.map(({ name, entries }) => (
          <div key={name} className="nav-section">
            <p className={isNarrow ? 'unseen' : 'nav-heading'}>{name}</p>
            {entries.map((entry) => (
              <NavLink key={entry.name} entry={entry} isNarrow={isNarrow} />
            ))}
          </div>
        ))}
      </nav>
      <div className="sidebar-foot">
        <UserMenu isNarrow={isNarrow} isAtAccount={isAtAccount} />
        {!isSmall && (
          <Tooltip label={toggleName} position="right">
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={toggleName} onClick={toggle}>
              {isCollapsed ? <IconExpand /> : <IconCollapse />}
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </aside>
  );
}

const isMac = navigator.platform.startsWith('Mac');
