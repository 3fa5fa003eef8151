import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

export interface AccountPageProps {
  title: string;
  children: ComponentChildren;
}

/** A page of somebody who need not have signed in. */
export function AccountPage({ title, children }: AccountPageProps) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <main class="account">
      <h1>{title}</h1>
      {children}
    </main>
  );
}
