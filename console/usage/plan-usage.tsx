import type { UsageSummary } from '../client/types.ts';
import { useApi } from '../state/use-api.ts';
import { formatCount } from '../components/text/format-count.ts';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { Section } from '../components/page/section.tsx';
import { LimitBars } from './limit-bars.tsx';

/** Shows the usage of the plan by all workspaces that share it, for the workspace that pays. */
export function PlanUsage() {
  const usage = useApi<UsageSummary>('/api/usage?include_children=true');
  return (
    <Section title="Plan usage">
      <LoadedView loaded={usage}>
        {(summary) => (
          <>
            {summary.workspaces > 1 && (
              <p className="hint">Shared by {formatCount(summary.workspaces, 'workspace')}.</p>
            )}
            <LimitBars usage={summary} />
          </>
        )}
      </LoadedView>
    </Section>
  );
}
