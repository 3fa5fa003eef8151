import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState, type MouseEvent, type ReactNode } from 'react';
import type { Route } from '../router.ts';
import { BottomBar } from './bottom-bar.tsx';
import { setFavicon } from './favicon.ts';
import { useAppliedPreferences } from '../state/use-preferences.ts';
import { listNavSections } from './nav-entries.ts';
import { useSession } from '../session/session.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Sidebar } from './sidebar.tsx';
import { useInboxCounts } from '../conversations/inbox/use-inbox-counts.ts';
import { WorkspaceBanner } from './workspace-banner.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const readNow = { getInitialValueInEffect: false };

export interface FrameProps {
  route: Route;
  children: ReactNode;
}

/**
 * Frame around all pages of the console: the sidebar, or the bottom bar on a phone, and the command palette.
 */
export function Frame({ route, children }: FrameProps) {
  const { data: me } = useSession().me;
  useAppliedPreferences();
  const isPhone = useMediaQuery('(max-width: 767px)', false, readNow);
  const [openings, setOpenings] = useState(0);
  const openPalette = (): void => setOpenings((count) => count + 1);
  useHotkeys([['mod+K', openPalette]], []);
  useShortcuts();
  const sections = listNavSections(me, route);
  const path = route.segments.join('/');
  useEffect(() => {
    // `scrollTo` returns a promise in some browsers, which React must not use as a cleanup function.
    document.getElementById('main')?.scrollTo({ top: 0 });
  }, [path]);
  const { waiting, unread } = useInboxCounts();
  useEffect(() => setFavicon(waiting > 0), [waiting]);
  const navigation = { sections, openPalette };
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to content
      </a>
      {!isPhone && <Sidebar {...navigation} isAtAccount={path === 'account'} />}
      <div className="shell-content">
        <WorkspaceBanner />
        <main id="main" className="shell-main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {isPhone && <BottomBar {...navigation} path={path} />}
      <span className="unseen" role="status">
        {waiting} waiting, {unread} unread
      </span>
      {openings > 0 && (
        <Suspense>
          <Palette sections={sections} openings={openings} />
        </Suspense>
      )}
    </div>
  );
}

/** Moves the focus to the page's main content, without adding a fragment to the URL. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
