import { AccountPage } from './account-page.tsx';
import { MailLinkForm } from './mail-link-form.tsx';

export function ForgotPasswordPage() {
  return (
    <AccountPage title="Set a new password">
      <p>We mail you a link, which works once, and only for a while.</p>
      <MailLinkForm url="/api/auth/password/forgot" />
      <p>
        <a href="/sign-in">Back to signing in</a>
      </p>
    </AccountPage>
  );
}
