import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * Says where to read messages that the server captured because it has no provider for their messaging app.
 */
export function CapturedMessagesHint({ children }: { children: ReactNode }) {
  return (
    <>
      {children} Messages are saved to{' '}
      <Anchor inherit href="/dev/mail/chats" target="_blank" rel="noopener">
        the phone simulator
      </Anchor>
      . Open it with the token that <code>npm start</code> prints.
    </>
  );
}
