import { Text } from '@mantine/core';
import type { UsageSummary } from '../client/types.ts';
import { Facts } from '../components/lists/facts.tsx';
import { Section } from '../components/page/section.tsx';
import { LimitBars } from './limit-bars.tsx';
import { limitNames, listLimitUses, getPlanRole } from './limit-uses.ts';
import { PlanUsage } from './plan-usage.tsx';
import { formatInteger } from './usage-facts.tsx';

/** Shows the limits of the workspace's plan for this month. The workspace that pays also sees their usage. */
export function PlanLimits({ usage }: { usage: UsageSummary }) {
  switch (getPlanRole(usage)) {
    case 'payer':
      return <PlanUsage />;
    case 'sharer':
      return <SharedLimits usage={usage} />;
    case 'unlimited':
      return (
        <Section title="Plan usage">
          <LimitBars usage={usage} />
        </Section>
      );
  }
}

/**
 * Shows the limits of the plan without their usage. Other workspaces share the plan, so the usage of this
 * workspace alone would be misleading.
 */
function SharedLimits({ usage }: { usage: UsageSummary }) {
  const facts = listLimitUses(usage).map(
    ({ limit, max }) => [limitNames[limit], max === null ? 'Unlimited' : formatInteger(max)] as const,
  );
  return (
    <Section title="Plan limits">
      <Text>
        All workspaces on the plan share its limits. The billing page of the paying workspace shows the usage.
      </Text>
      <Facts facts={facts} />
    </Section>
  );
}
