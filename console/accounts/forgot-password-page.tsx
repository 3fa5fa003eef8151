import { AccountPage } from './account-page.tsx';
import { LinkNeeded } from './link-needed.tsx';
import { MailLinkForm } from './mail-link-form.tsx';

export interface ForgotPasswordPageProps {
  /** Whether the user opened a password-reset link that lacks its token. The page then explains this. */
  lacksLink?: boolean;
}

export function ForgotPasswordPage({ lacksLink = false }: ForgotPasswordPageProps) {
  return (
    <AccountPage title="Set a new password">
      {lacksLink && <LinkNeeded />}
      <p>We mail you a link, which works once, and only for a while.</p>
      <MailLinkForm url="/api/auth/password/forgot" />
      <p>
        <a href="/sign-in">Back to signing in</a>
      </p>
    </AccountPage>
  );
}
