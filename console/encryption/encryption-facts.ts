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
  /** Consequences of each mode. */
  meanings: Record<Mode, readonly string[]>;
  /** State of the conversion, and messages of the key service. */
  news: readonly string[];
}

/**
 * Splits the sentences of the API. Sentences that both previews share describe the present state, not a mode.
 * @param previews previews of the state in each mode
 */
export function toEncryptionFacts({ platform, tenant }: Record<Mode, Encryption>): EncryptionFacts {
  const news = tenant.consequences.filter((line) => platform.consequences.includes(line));
  const findConsequences = ({ consequences }: Encryption) =>
    consequences.filter((line) => !news.includes(line));
  return {
    mode: tenant.mode,
    isSealing: tenant.sealing,
    keyCreatedAt: tenant.key_created_at,
    meanings: { platform: findConsequences(platform), tenant: findConsequences(tenant) },
    news,
  };
}
