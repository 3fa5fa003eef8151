import { publicClient } from '../client/client.ts';
import type { Meta } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useLoad } from '../hooks/use-load.ts';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { leaveForProvider } from './leave-for-provider.ts';

export interface ProviderButtonsProps {
  isToStay: boolean;
  /** Whether the user is signed in, and signs in again to permit a sensitive operation. */
  isToProve?: boolean;
  /** Names of the providers to show; all configured ones by default. */
  only?: readonly string[];
}

/** Buttons that sign the user in with the configured identity providers. */
export function ProviderButtons({ isToStay, isToProve = false, only }: ProviderButtonsProps) {
  const { data: meta } = useLoad((signal) => publicClient.get<Meta>('/api/meta', signal), []);
  const start = useAction((provider: string) =>
    leaveForProvider(provider, { staysSignedIn: isToStay, linksIdentity: false, confirmsSignIn: isToProve }),
  );
  const known = meta?.identity_providers ?? [];
  const providers = known.filter((provider) => only?.includes(provider) ?? true);
  if (providers.length === 0) return null;
  return (
    <div class="stack" role="group" aria-label="Identity providers">
      {providers.map((provider) => (
        <button key={provider} type="button" aria-disabled={start.isBusy} onClick={() => start.run(provider)}>
          Continue with {provider}
        </button>
      ))}
      <ProblemMessage problem={start.problem} />
    </div>
  );
}
