import type { ComponentChildren } from 'preact';
import { AccountPage } from './account-page.tsx';

export interface DonePageProps {
  title: string;
  /** What the API says to have done. */
  told: string;
  children: ComponentChildren;
  /** Below that. */
  after?: ComponentChildren;
}

/** What there is to do now that something has been done. */
export function DonePage({ title, told, children, after }: DonePageProps) {
  return (
    <AccountPage title={title} isNext>
      <p class="notice" role="status">
        {told}
      </p>
      <p>{children}</p>
      {after}
    </AccountPage>
  );
}
