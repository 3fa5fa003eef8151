import { Alert, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Logo } from '../shell/logo.tsx';

export interface AccountPageProps {
  title: string;
  /** Sentence below the page's title. */
  about?: ReactNode;
  /**
   * Whether the account page appears in place of a submitted form. Its heading then gets the focus, so that
   * screen readers announce the new page.
   */
  replacesForm?: boolean;
  children: ReactNode;
}

/** Layout of account pages that work without a session, such as the sign-in page. */
export function AccountPage({ title, about, replacesForm = false, children }: AccountPageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  useEffect(() => {
    if (replacesForm) heading.current?.focus();
  }, []);
  return (
    <main className="account">
      <div className="account-card">
        <div className="account-head">
          <Logo size={36} />
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {about !== undefined && <Text c="dimmed">{about}</Text>}
        </div>
        {children}
      </div>
    </main>
  );
}

/** Text that says what has happened, and that screen readers announce. */
export function StatusText({ children }: { children: ReactNode }) {
  return (
    <Alert role="status" color="brand">
      {children}
    </Alert>
  );
}

export interface DonePageProps {
  title: string;
  /** Message of the API's response about the completed step. */
  message: string;
  children: ReactNode;
  /** Content at the end of the account page. */
  after?: ReactNode;
}

/** Account page that confirms a completed step, such as a password reset, and offers the next step. */
export function DonePage({ title, message, children, after }: DonePageProps) {
  return (
    <AccountPage title={title} replacesForm>
      <StatusText>{message}</StatusText>
      <Text>{children}</Text>
      {after}
    </AccountPage>
  );
}

/** Hint on a page that needs the token of an emailed link but has none, for example after a reload. */
export function LinkNeeded() {
  return <Text>Open the link in your email again, or request a new one.</Text>;
}
