import { loadMeta } from '../client/load-meta.ts';
import { useLoad } from '../state/use-load.ts';

/** Explains where to read emails on a server without a mail server; renders nothing on others. */
export function MailLocation() {
  const { data: meta } = useLoad(loadMeta, []);
  if (meta === undefined || meta.sends_mail) return null;
  return (
    <p className="notice">
      {meta.mail_page === null ? (
        "Email isn't configured on this server. Contact your administrator."
      ) : (
        <>
          Email isn't configured, so messages are saved to the dev mailbox at{' '}
          <a href={meta.mail_page}>{meta.mail_page}</a>. Open it with the token that <code>npm start</code>{' '}
          prints; <code>npm run parley -- mail-link</code> prints it again.
        </>
      )}
    </p>
  );
}
