import styles from './billing.css';
import type { Plan, Subscription } from '../client/types.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { NoSuchPage } from '../no-such-page.tsx';
import { useSession } from '../session/session.tsx';
import { adoptStyles } from '../components/theme/adopt-styles.ts';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { Page } from '../components/page/page.tsx';
import { BillingTabs } from './billing-tabs.tsx';
import { PlansPart } from './plans/plans-part.tsx';
import { ProfilePart } from './profile/profile-part.tsx';
import { ReceiptsPart } from './receipts/receipts-part.tsx';

adoptStyles(styles);

export interface BillingAreaProps {
  /** Name of the billing page in the URL; the page of plans by default. */
  part: string | undefined;
  query: Record<string, string>;
}

/** Renders the billing page that the URL names: plans, receipts or the billing profile. */
export function BillingArea({ part = 'plans', query }: BillingAreaProps) {
  const { client } = useSession();
  const billing = useLoaded(
    ['billing'],
    async (signal) => {
      const [plans, subscription] = await Promise.all([
        client.get<Plan[]>('/api/billing/plans', signal),
        client.get<Subscription>('/api/billing/subscription', signal),
      ]);
      return { plans, subscription };
    },
    { reloadsOnVisit: true },
  );
  if (part !== 'plans' && part !== 'receipts' && part !== 'profile') return <NoSuchPage />;
  return (
    <Page title="Billing">
      <LoadedView loaded={billing}>
        {({ plans, subscription }) => (
          <>
            {subscription.is_billed_here && <BillingTabs current={part} />}
            {part === 'plans' && (
              <PlansPart
                plans={plans}
                subscription={subscription}
                query={query}
                reload={billing.reload}
                onChange={(changed) => billing.set({ plans, subscription: changed })}
              />
            )}
            {part === 'receipts' && <ReceiptsPart />}
            {part === 'profile' && <ProfilePart />}
          </>
        )}
      </LoadedView>
    </Page>
  );
}
