import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface AccountPageProps {
  title: string;
  /** Whether it takes the place of a form, so that its heading is read out. */
  isNext?: boolean;
  children: ComponentChildren;
}

/** A page of somebody who need not have signed in. */
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
