import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useInboxCounts } from '../conversations/inbox/inbox-counts.ts';

export interface PageProps {
  title: string;
  /** Buttons or other content next to the title. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * Page with a heading, which gets the focus after navigation so that screen readers announce it. The title of
 * the browser tab includes the number of waiting visitors and unread conversations.
 */
export function Page({ title, tools, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { waiting, unread } = useInboxCounts();
  const todo = waiting + unread;
  useEffect(() => {
    document.title = `${todo === 0 ? '' : `(${todo}) `}${title} · Parley console`;
  }, [title, todo]);
  useEffect(() => {
    if (document.activeElement?.matches('nav a, .whoami a')) heading.current?.focus();
  }, []);
  return (
    <div class="page">
      <header class="page-header">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {tools}
      </header>
      {children}
    </div>
  );
}
