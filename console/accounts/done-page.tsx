import type { ComponentChildren } from 'preact';
import { AccountPage } from './account-page.tsx';

export interface DonePageProps {
  title: string;
  /** Message of the API's response. */
  message: string;
  children: ComponentChildren;
  /** Content at the end of the page. */
  after?: ComponentChildren;
}

/** Page that confirms a completed step and offers the next one. */
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
