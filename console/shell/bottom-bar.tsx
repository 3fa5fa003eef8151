import { Drawer, UnstyledButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { IconDots, IconSearch } from './icons.ts';
import type { NavSection } from './nav-entries.ts';
import { NavLink } from './nav-link.tsx';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';

const SHOWN = 4;

export interface BottomBarProps {
  sections: readonly NavSection[];
  /** Path of the current page. The menu closes when the path changes. */
  path: string;
  openPalette(): void;
}

/**
 * Navigation at the lower edge of the window on a phone: four areas of the console, and a menu with all
 * areas.
 */
export function BottomBar({ sections, path, openPalette }: BottomBarProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  useEffect(close, [path]);
  const entries = sections.slice(0, 2).flatMap((section) => section.entries);
  const shown = entries.slice(0, SHOWN);
  const isElsewhere = !shown.some(({ isCurrent }) => isCurrent);
  return (
    <>
      <nav className="bottom-bar" aria-label="Console">
        {shown.map((entry) => (
          <NavLink key={entry.name} entry={entry} />
        ))}
        <UnstyledButton
          className="nav-link"
          data-current={isElsewhere || undefined}
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        >
          <IconDots />
          <span className="nav-name">More</span>
        </UnstyledButton>
      </nav>
      <Drawer opened={isOpen} onClose={close} position="bottom" size="100%" title="Menu">
        <div className="more-menu">
          <WorkspaceMenu isNarrow={false} />
          <UnstyledButton
            className="nav-link"
            onClick={() => {
              close();
              openPalette();
            }}
          >
            <IconSearch />
            <span className="nav-name">Search</span>
          </UnstyledButton>
          <nav aria-label="All areas">
            {sections.map(({ name, entries: all }) => (
              <div key={name} className="nav-section">
                <p className="nav-heading">{name}</p>
                {all.map((entry) => (
                  <NavLink key={entry.name} entry={entry} onOpen={close} />
                ))}
              </div>
            ))}
          </nav>
          <UserMenu isAtAccount={path === 'account'} />
        </div>
      </Drawer>
    </>
  );
}
