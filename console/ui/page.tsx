import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useInboxCounts } from '../conversations/inbox/inbox-counts.ts';

export interface PageProps {
  title: string;
  /** Content next to the title. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * A page with a heading. Its document title counts waiting visitors and unread conversations. The heading gets the
 * focus after navigation, so that screen readers read it out.
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
