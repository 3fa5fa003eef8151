import type { ComponentChildren } from 'preact';

/** Where messages are that no provider takes. */
export function KeptMessages({ children }: { children: ComponentChildren }) {
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
