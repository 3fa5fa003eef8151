import { Anchor, Text } from '@mantine/core';
import { AccountPage, LinkNeeded } from './account-page.tsx';
import { MailLinkForm } from './mail-link-form.tsx';

export interface ForgotPasswordPageProps {
  /**
   * Whether the user opened a password-reset link that lacks its token. The page then explains that the link
   * is incomplete.
   */
  lacksToken?: boolean;
}

export function ForgotPasswordPage({ lacksToken = false }: ForgotPasswordPageProps) {
  return (
    <AccountPage title="Reset your password" about="We'll email you a link to reset your password.">
      {lacksToken && <LinkNeeded />}
      <MailLinkForm url="/api/auth/password/forgot" label="Send reset link" />
      <Text ta="center">
        <Anchor href="/sign-in">Back to sign in</Anchor>
      </Text>
    </AccountPage>
  );
}
