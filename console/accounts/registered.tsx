import type { ComponentChildren } from 'preact';
import { DonePage } from './done-page.tsx';
import { WhereMailIs } from './where-mail-is.tsx';

export interface RegisteredProps {
  title: string;
  /** What the API says to have done. */
  told: string;
  /** What there is to do after the address is confirmed. */
  children?: ComponentChildren;
}

/** An account that waits for its address to be confirmed. */
export function Registered({ title, told, children }: RegisteredProps) {
  return (
    <DonePage title={title} told={told} after={<WhereMailIs />}>
      {children}
      Nothing has come? Look where unwanted mail goes, or have <a href="/verify-email">the link sent again</a>
      .
    </DonePage>
  );
}
