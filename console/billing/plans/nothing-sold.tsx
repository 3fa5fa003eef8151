import { Text } from '@mantine/core';
import { Section } from '../../components/page/section.tsx';

export interface NothingSoldProps {
  /** Whether billing is enabled on this server. */
  isBillingEnabled: boolean;
}

/** Shown if nothing is for sale: the server has no payment provider, or its operator has set no prices. */
export function NothingSold({ isBillingEnabled }: NothingSoldProps) {
  return (
    <Section title={isBillingEnabled ? 'No plans for sale yet' : 'Billing is off'}>
      <Text>
        {isBillingEnabled
          ? 'The operator of this server can set prices in Stripe: '
          : 'Billing is off on this server, and this workspace has no limits. To turn it on, connect Stripe:  '}
        see docs/billing.md and{' '}
        <a href="/docs/settings#PARLEY_STRIPE_SECRET_KEY" target="_blank" rel="noopener">
          the settings
        </a>
        .
      </Text>
    </Section>
  );
}
