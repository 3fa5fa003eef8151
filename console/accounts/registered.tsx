import type { ComponentChildren } from 'preact';
import { DonePage } from './done-page.tsx';
import { WhereMailIs } from './where-mail-is.tsx';

export interface RegisteredProps {
  title: string;
  /** The message of the API. */
  told: string;
  /** Next step after the user has confirmed the address. */
  children?: ComponentChildren;
}

/** Confirms a registration whose address is not yet verified. */
export function Registered({ title, told, children }: RegisteredProps) {
  return (
    <DonePage title={title} told={told} after={<WhereMailIs />}>
      {children}
      Nothing has come? Look where unwanted mail goes, or have <a href="/verify-email">the link sent again</a>
      .
    </DonePage>
  );
}
