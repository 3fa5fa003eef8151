import type { Subscription } from '../../client/types.ts';
import { Section } from '../../ui/section.tsx';
import { limitTexts } from '../billing-words.ts';

/** Without a payment provider nothing is limited either; with one, its prices may be missing. */
export function NothingSold({ limits }: Pick<Subscription, 'limits'>) {
  const isLimited = Object.values(limits).some((limit) => limit !== null);
  return (
    <Section title={isLimited ? 'There is nothing to buy yet' : 'Billing is not switched on'}>
      <p>
        {isLimited
          ? `The workspace has ${limitTexts(limits).join(', ')}, and the operator of this server has set no prices: `
          : 'Nothing is sold on this server, and no plan limits anything. Its operator can switch billing on with an account at Stripe: '}
        docs/billing.md says how, step by step, and{' '}
        <a href="/docs/settings#PARLEY_STRIPE_SECRET_KEY" target="_blank" rel="noopener">
          the settings
        </a>{' '}
        list what can be set.
      </p>
    </Section>
  );
}
