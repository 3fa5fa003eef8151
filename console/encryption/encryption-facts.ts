import type { Encryption } from '../client/types.ts';

export type Mode = Encryption['mode'];

export const modes = ['platform', 'tenant'] as const satisfies readonly Mode[];

export const modeNames: Record<Mode, string> = {
  platform: 'Platform-managed keys',
  tenant: 'Customer-managed key',
};

export interface EncryptionFacts {
  mode: Mode;
  isSealing: boolean;
  keyCreatedAt: string | null;
  /** Sentences that describe the consequences of each encryption mode. */
  consequences: Record<Mode, readonly string[]>;
  /**
   * Sentences that describe the current state: the progress of a conversion to another key, and errors of the
   * key service.
   */
  news: readonly string[];
}

/**
 * Separates the sentences of the API's previews of both encryption modes. A sentence in both previews
 * describes the current state, any other sentence describes one mode.
 * @param previews state of the workspace in each of the two modes
 */
export function toEncryptionFacts({ platform, tenant }: Record<Mode, Encryption>): EncryptionFacts {
  const news = tenant.consequences.filter((line) => platform.consequences.includes(line));
  const findConsequences = ({ consequences }: Encryption) =>
    consequences.filter((line) => !news.includes(line));
  return {
    mode: tenant.mode,
    isSealing: tenant.sealing,
    keyCreatedAt: tenant.key_created_at,
    consequences: { platform: findConsequences(platform), tenant: findConsequences(tenant) },
    news,
  };
}
