import type { ComponentChildren } from 'preact';
import { AccountPage } from './account-page.tsx';

export interface DonePageProps {
  title: string;
  /** The message of the API. */
  told: string;
  children: ComponentChildren;
  /** Content below the children. */
  after?: ComponentChildren;
}

/** A page that confirms a completed step and offers the next one. */
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
