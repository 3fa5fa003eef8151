import { generateSync } from 'otplib';

/**
 * Creates an authenticator app (RFC 6238) that returns no code twice. It can return two codes at once: those
 * of the current and of the next 30 seconds. A code of the previous 30 seconds could expire before it is
 * used.
 */
export function createAuthenticator(secret: string): { nextCode: () => string } {
  let shown = 0;
  const nextCode = (): string => {
    shown = Math.max(Math.floor(Date.now() / 30_000), shown + 1);
    return generateSync({ secret, epoch: shown * 30 });
  };
  return { nextCode };
}
