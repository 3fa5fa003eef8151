import { Section } from '../../ui/section.tsx';

export interface NothingSoldProps {
  /** Whether limits or payments exist, so that only prices are missing. */
  isSwitchedOn: boolean;
}

/**
 * Shown if nothing is for sale. Without a payment provider there are no limits either; with one, prices may be
 * missing.
 */
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
