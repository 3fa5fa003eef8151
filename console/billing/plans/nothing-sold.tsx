import { Section } from '../../components/section.tsx';

export interface NothingSoldProps {
  /** Whether billing is enabled on this server. */
  isSwitchedOn: boolean;
}

/** Shown if nothing is for sale: the server has no payment provider, or its operator has set no prices. */
export function NothingSold({ isSwitchedOn }: NothingSoldProps) {
  return (
    <Section title={isSwitchedOn ? 'There is nothing to buy yet' : 'Billing is not switched on'}>
      <p>
        {isSwitchedOn
          ? 'Nothing is for sale on this server at the moment. Its operator can set prices with an account at Stripe: '
          : 'Nothing is sold on this server, and nothing limits this workspace. Its operator can switch billing on with an account at Stripe: '}
        docs/billing.md says how, step by step, and{' '}
        <a href="/docs/settings#PARLEY_STRIPE_SECRET_KEY" target="_blank" rel="noopener">
          the settings
        </a>{' '}
        list what can be set.
      </p>
    </Section>
  );
}
