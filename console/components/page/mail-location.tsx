import { Alert, Anchor, Code } from '@mantine/core';
import { useMeta } from '../../state/use-meta.ts';

/**
 * Explains where to read emails that a server without a mail server captures; renders nothing on other
 * servers.
 */
export function MailLocation() {
  const meta = useMeta();
  if (meta === undefined || meta.sends_mail) return null;
  return (
    <Alert role="note" color="yellow">
      {meta.mail_page === null ? (
        "Email isn't configured on this server. Contact your administrator."
      ) : (
        <>
          Email isn't configured, so messages are saved to the dev mailbox at{' '}
          <Anchor href={meta.mail_page}>{meta.mail_page}</Anchor>. Open it with the token that{' '}
          <Code>npm start</Code> prints; <Code>npm run parley -- mail-link</Code> prints it again.
        </>
      )}
    </Alert>
  );
}
