/** @jsxImportSource react */
import { Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useInboxCounts } from './use-inbox-counts.ts';

export interface PageFrameProps {
  title: string;
  /** Buttons at the right of the title: one primary action, and a menu of others. */
  tools?: ReactNode;
  /** Navigation between the pages of the area, below the title. */
  tabs?: ReactNode;
  children: ReactNode;
}

/**
 * Page with a heading, which gets the focus after navigation so that screen readers announce it. The title of
 * the browser tab includes the number of waiting visitors and unread conversations.
 */
export function PageFrame({ title, tools, tabs, children }: PageFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { waiting, unread } = useInboxCounts();
  const todo = waiting + unread;
  useEffect(() => {
    document.title = `${todo === 0 ? '' : `(${todo}) `}${title} · Parley console`;
  }, [title, todo]);
  useEffect(() => {
    if (document.activeElement?.matches('nav a')) heading.current?.focus();
  }, []);
  return (
    <div className="page-frame">
      <header className="page-head">
        <Title order={1} ref={heading} tabIndex={-1}>
          {title}
        </Title>
        <div className="page-tools">{tools}</div>
      </header>
      {tabs}
      {children}
    </div>
  );
}

export interface PageTabsProps {
  label: string;
  current: string;
  tabs: readonly { id: string; name: string; href: string }[];
}

/** Links between the pages that belong together, in the form of tabs. */
export function PageTabs({ label, current, tabs }: PageTabsProps) {
  return (
    <nav className="page-tabs" aria-label={label}>
      {tabs.map(({ id, name, href }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
