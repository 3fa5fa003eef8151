import type { InitialUrl } from './initial-url.ts';
import { DevicePage } from './device-page.tsx';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { IdentityReturn } from './identities/identity-return.tsx';
import { InvitationPage } from './invitation-page.tsx';
import { RegisterPage } from './register-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';
import { VerifyEmailPage } from './verify-email-page.tsx';
import { WelcomePage } from './welcome-page.tsx';

/** Account pages other than the sign-in page. Their script is loaded on demand. */
export function AccountPages({ segments: [page = '', part = ''], query, token }: InitialUrl) {
  switch (page) {
    case 'register':
      return <RegisterPage />;
    case 'forgot-password':
      return <ForgotPasswordPage />;
    case 'reset-password':
      return <ResetPasswordPage token={token} />;
    case 'verify-email':
      return <VerifyEmailPage token={token} />;
    case 'welcome':
      return <WelcomePage token={token} />;
    case 'device':
      return <DevicePage code={query.get('code')} />;
    case 'invitations':
      return <InvitationPage token={part} />;
    default:
      return <IdentityReturn provider={part} query={query} />;
  }
}
