import { withQuery } from '../client/paths.ts';
import type { UsageSummary } from '../client/types.ts';
import { useApi } from '../state/use-api.ts';
import { goTo, buildHref } from '../router.ts';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { Page } from '../components/page/page.tsx';
import { readUsageSelection, listMonths } from './usage-selection.ts';
import { DailyUsage } from './daily-usage.tsx';
import { ExceededLimits } from './exceeded-limits.tsx';
import { PlanLimits } from './plan-limits.tsx';
import { UsageFilters } from './usage-filters.tsx';
import { UsageFacts } from './usage-facts.tsx';

export interface UsagePageProps {
  filters: Record<string, string>;
}

/** Page with the workspace's usage of each day of a month, and how much of the plan is left. */
export function UsagePage({ filters }: UsagePageProps) {
  const [currentMonth = ''] = listMonths(new Date());
  const chosen = readUsageSelection(filters, currentMonth);
  const { month, includesChildren } = chosen;
  const url = withQuery('/api/usage', { month, include_children: includesChildren });
  const loaded = useApi<UsageSummary>(url);
  return (
    <Page title="Usage">
      <UsageFilters
        chosen={chosen}
        onChange={(changed) => goTo(buildHref(['usage'], { ...filters, ...changed }))}
      />
      <LoadedView loaded={loaded}>
        {(usage) => (
          <>
            <ExceededLimits usage={usage} />
            <UsageFacts usage={usage} />
            {month === currentMonth && <PlanLimits usage={usage} />}
            <DailyUsage usage={usage} chosen={chosen} />
          </>
        )}
      </LoadedView>
    </Page>
  );
}
