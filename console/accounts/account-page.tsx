import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface AccountPageProps {
  title: string;
  /** Whether the page replaces a form: its heading gets the focus, so that screen readers read it out. */
  isNext?: boolean;
  children: ComponentChildren;
}

/** A page that needs no session. */
export function AccountPage({ title, isNext = false, children }: AccountPageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  useEffect(() => {
    if (isNext) heading.current?.focus();
  }, []);
  return (
    <main class="account">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
