import type { ComponentChildren } from 'preact';
import { AccountPage } from './account-page.tsx';

export interface DonePageProps {
  title: string;
  /** The message of the API. */
  message: string;
  children: ComponentChildren;
  /** Content below the children. */
  after?: ComponentChildren;
}

/** A page that confirms a completed step and offers the next one. */
export function DonePage({ title, message, children, after }: DonePageProps) {
  return (
    <AccountPage title={title} isNext>
      <p class="notice" role="status">
        {message}
      </p>
      <p>{children}</p>
      {after}
    </AccountPage>
  );
}
