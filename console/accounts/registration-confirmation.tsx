import type { ComponentChildren } from 'preact';
import { DonePage } from './done-page.tsx';
import { MailLocation } from './mail-location.tsx';

export interface RegistrationConfirmationProps {
  title: string;
  /** Message of the API's response. */
  message: string;
  /** Content for the next step, shown once the user has confirmed the address. */
  children?: ComponentChildren;
}

/** Says that the registration was received, and that the user must now confirm the address by mail. */
export function RegistrationConfirmation({ title, message, children }: RegistrationConfirmationProps) {
  return (
    <DonePage title={title} message={message} after={<MailLocation />}>
      {children}
      Nothing has come? Look where unwanted mail goes, or have <a href="/verify-email">the link sent again</a>
      .
    </DonePage>
  );
}
