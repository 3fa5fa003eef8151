import type { Subscription, UsageSummary } from '../../client/types.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { LoadedView } from '../../ui/loaded-view.tsx';
import { Section } from '../../ui/section.tsx';
import { LimitBars } from '../../usage/limit-bars.tsx';

/** What all workspaces that share the plan have used of it; its limits are other ones with another tier. */
export function PlanUsage({ tier }: Pick<Subscription, 'tier'>) {
  const { client } = useSession();
  const usage = useLoad(
    (signal) => client.get<UsageSummary>('/api/usage?include_children=true', signal),
    [client, tier],
  );
  return (
    <Section title="What is used">
      <LoadedView of={usage}>{(summary) => <LimitBars usage={summary} />}</LoadedView>
    </Section>
  );
}
