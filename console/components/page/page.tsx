import { Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useInboxCounts } from '../../conversations/inbox/use-inbox-counts.ts';

export interface PageProps {
  title: string;
  /** Buttons at the right of the page's title: one primary action, and a menu of other actions. */
  tools?: ReactNode;
  /** Navigation between the pages of the console's area, below the title. */
  tabs?: ReactNode;
  children: ReactNode;
}

/** Page of the console with a heading and buttons. */
export function Page({ title, tools, tabs, children }: PageProps) {
  return (
    <div className="page">
      <header className="page-header">
        <PageTitle>{title}</PageTitle>
        <div className="page-tools">{tools}</div>
      </header>
      {tabs}
      {children}
    </div>
  );
}

/**
 * Heading of a page, which gets the focus after navigation so that screen readers announce it. The title of
 * the browser tab includes the number of waiting visitors and unread conversations.
 */
export function PageTitle({ children, className }: { children: string; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { waiting, unread } = useInboxCounts();
  const todo = waiting + unread;
  useEffect(() => {
    document.title = `${todo === 0 ? '' : `(${todo}) `}${children} · Parley console`;
  }, [children, todo]);
  useEffect(() => {
    if (document.activeElement?.matches('nav a')) heading.current?.focus();
  }, []);
  return (
    <Title order={1} ref={heading} tabIndex={-1} {...(className !== undefined && { className })}>
      {children}
    </Title>
  );
}
