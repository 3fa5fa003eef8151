import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface AccountPageProps {
  title: string;
  /**
   * Whether the page replaces a submitted form. Its heading then gets the focus, so that screen readers
   * announce the new page.
   */
  isNext?: boolean;
  children: ComponentChildren;
}

/** Layout of pages that work without a session, such as the sign-in page. */
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
