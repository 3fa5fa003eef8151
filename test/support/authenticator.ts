import { generateSync } from 'otplib';

/**
 * Shows the codes of an authenticator app (RFC 6238), none of them twice. Two of them can be used at once, whatever the time
 * is: the one of the present 30 seconds and the next one. A code of the past could be too old by the time it is used.
 */
export function authenticator(secret: string): { nextCode: () => string } {
  let shown = 0;
  const nextCode = (): string => {
    shown = Math.max(Math.floor(Date.now() / 30_000), shown + 1);
    return generateSync({ secret, epoch: shown * 30 });
  };
  return { nextCode };
}
