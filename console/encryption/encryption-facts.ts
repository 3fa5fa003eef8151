import type { Encryption } from '../client/types.ts';

export type Mode = Encryption['mode'];

export const modes = ['platform', 'tenant'] as const satisfies readonly Mode[];

export const modeNames: Record<Mode, string> = {
  platform: 'The platform’s keys',
  tenant: 'Your own key',
};

export interface EncryptionFacts {
  mode: Mode;
  isSealing: boolean;
  keyCreatedAt: string | null;
  /** What either mode means. */
  meanings: Record<Mode, readonly string[]>;
  /** How far the background work is, and what the key service said. */
  news: readonly string[];
}

/** @param previews the state with the consequences of each mode: what is said of both is no consequence of either */
export function encryptionFacts({ platform, tenant }: Record<Mode, Encryption>): EncryptionFacts {
  const news = tenant.consequences.filter((line) => platform.consequences.includes(line));
  const meaningOf = ({ consequences }: Encryption) => consequences.filter((line) => !news.includes(line));
  return {
    mode: tenant.mode,
    isSealing: tenant.sealing,
    keyCreatedAt: tenant.key_created_at,
    meanings: { platform: meaningOf(platform), tenant: meaningOf(tenant) },
    news,
  };
}
