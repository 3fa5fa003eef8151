import { publicClient } from '../client/client.ts';
import type { Meta } from '../client/types.ts';
import { useLoad } from '../state/use-load.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { Section } from '../components/section.tsx';

/** Lists the identity providers that the operator has configured. */
export function SignInProviders() {
  const meta = useLoad((signal) => publicClient.get<Meta>('/api/meta', signal), []);
  return (
    <Section title="Identity providers">
      <LoadedView loaded={meta}>
        {({ identity_providers: providers }) => (
          <p>
            {providers.length === 0 ? (
              'People sign in with a password or a mailed code: no identity provider is on.'
            ) : (
              <>
                People also sign in with <strong>{providers.join(', ')}</strong>. Each links it at their
                account.
              </>
            )}
          </p>
        )}
      </LoadedView>
      <p>
        Identity providers hold for all of this Parley. Its operator enables them with the setting{' '}
        <a href="/docs/settings#PARLEY_IDENTITY_PROVIDERS" target="_blank" rel="noopener">
          <code>PARLEY_IDENTITY_PROVIDERS</code>
        </a>
        , registers the address <code>{window.location.origin}/sign-in/&lt;name&gt;</code> at the provider,
        and starts Parley again.
      </p>
    </Section>
  );
}
