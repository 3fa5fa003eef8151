import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface PageProps {
  title: string;
  /** Beside the title. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}

/** A page with its heading, which gets the focus when somebody comes from another page, so that it is read out. */
export function Page({ title, tools, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Parley console`;
  }, [title]);
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
