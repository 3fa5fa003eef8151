import { Button } from '@mantine/core';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { capitalize } from '../../components/text/capitalize.ts';
import { useAction } from '../../state/use-action.ts';
import { useMeta } from '../../state/use-meta.ts';
import { leaveForProvider } from '../identities/leave-for-provider.ts';

export interface ProviderButtonsProps {
  staysSignedIn: boolean;
  /** Whether the user is signed in, and signs in again to permit a sensitive operation. */
  confirmsSignIn?: boolean;
  /** Names of the identity providers to show; all configured providers by default. */
  only?: readonly string[];
}

/** Buttons that sign the user in with the configured identity providers. */
export function ProviderButtons({ staysSignedIn, confirmsSignIn = false, only }: ProviderButtonsProps) {
  const meta = useMeta();
  const start = useAction((provider: string) =>
    leaveForProvider(provider, {
      staysSignedIn,
      linksIdentity: false,
      confirmsSignIn,
    }),
  );
  const known = meta?.identity_providers ?? [];
  const providers = known.filter((provider) => only?.includes(provider) ?? true);
  if (providers.length === 0) return null;
  return (
    <div className="form-stack" role="group" aria-label="Identity providers">
      {providers.map((provider) => (
        <Button
          key={provider}
          variant="default"
          fullWidth
          aria-disabled={start.isBusy}
          onClick={() => start.run(provider)}
        >
          Continue with {capitalize(provider)}
        </Button>
      ))}
      <ProblemMessage problem={start.problem} />
    </div>
  );
}
