import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Message } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { AccountPage } from './account-page.tsx';
import { DonePage } from './done-page.tsx';
import { MailLinkForm } from './mail-link-form.tsx';
import { SubmitButton } from './submit-button.tsx';

const title = 'Verify your e-mail address';
const labels = { token: 'The link' };

/** Where the link of a mail leads to. It asks, because mail filters follow links. */
export function VerifyEmailPage({ token }: { token: string | null }) {
  const [told, setTold] = useState<string | null>(null);
  const verify = useAction(async () =>
    setTold((await publicClient.post<Message>('/api/auth/email/verify', { token })).message),
  );
  if (told !== null)
    return (
      <DonePage title={title} told={told}>
        <a href="/sign-in">Sign in</a>
      </DonePage>
    );
  const isUsable = token !== null && verify.problem?.status !== 422;
  return (
    <AccountPage title={title}>
      <ProblemMessage problem={verify.problem} labels={labels} />
      {isUsable ? (
        <Form class="card stack" onSubmit={() => verify.run()}>
          <p>Is the address yours that the mail came to?</p>
          <SubmitButton isBusy={verify.isBusy}>Yes, verify it</SubmitButton>
        </Form>
      ) : (
        <>
          <p>We mail you another link, which is good for a day.</p>
          <MailLinkForm url="/api/auth/email/resend" />
        </>
      )}
    </AccountPage>
  );
}
