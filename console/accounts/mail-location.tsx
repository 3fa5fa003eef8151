import { publicClient } from '../client/client.ts';
import type { Meta } from '../client/types.ts';
import { useLoad } from '../hooks/use-load.ts';

/** Explains where to read mails on a server without a mail server; renders nothing on others. */
export function MailLocation() {
  const { data: meta } = useLoad((signal) => publicClient.get<Meta>('/api/meta', signal), []);
  if (meta === undefined || meta.sends_mail) return null;
  return (
    <p class="notice">
      {meta.mail_page === null ? (
        'No mail server is set here, so no mail is sent: ask the operator of this server.'
      ) : (
        <>
          No mail server is set here, so mails are kept at <a href={meta.mail_page}>{meta.mail_page}</a>. That
          page asks for the token which <code>npm start</code> prints; the operator of this server has it, and{' '}
          <code>npm run parley -- mail-link</code> prints it again.
        </>
      )}
    </p>
  );
}
