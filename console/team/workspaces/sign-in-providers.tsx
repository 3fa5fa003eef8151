import { Anchor, Text } from '@mantine/core';
import { Details } from '../../components/page/details.tsx';
import { Section } from '../../components/page/section.tsx';
import { useMeta } from '../../state/use-meta.ts';

/** Lists the identity providers that the server's operator has configured for signing in. */
export function SignInProviders() {
  const providers = useMeta()?.identity_providers;
  if (providers === undefined) return null;
  return (
    <Section title="Single sign-on" description="Applies to all workspaces on this server.">
      <Text>
        {providers.length === 0 ? (
          "SSO isn't configured. Members sign in with a password or email code."
        ) : (
          <>
            Members can also sign in with <strong>{providers.join(', ')}</strong>. Members link the provider
            in their account settings.
          </>
        )}
      </Text>
      <Details title="How to configure SSO">
        <Text>
          The server's operator sets{' '}
          <Anchor inherit href="/docs/settings#PARLEY_IDENTITY_PROVIDERS" target="_blank" rel="noopener">
            <code>PARLEY_IDENTITY_PROVIDERS</code>
          </Anchor>
          , registers the redirect URL <code>{window.location.origin}/sign-in/&lt;name&gt;</code> with the
          provider, and restarts Parley.
        </Text>
      </Details>
    </Section>
  );
}
