import type { ReactNode } from 'react';

/** Says where to read messages that were captured because the server has no provider for their channel. */
export function CapturedMessagesHint({ children }: { children: ReactNode }) {
  return (
    <>
      {children} Messages are kept at{' '}
      <a href="/dev/mail/chats" target="_blank" rel="noopener">
        /dev/mail
      </a>
      , whose page plays the phone. It asks for the token which <code>npm start</code> prints.
    </>
  );
}
