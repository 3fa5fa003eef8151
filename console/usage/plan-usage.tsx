import type { UsageSummary } from '../client/types.ts';
import { useLoad } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';
import { formatCount } from '../components/format-count.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { Section } from '../components/section.tsx';
import { LimitBars } from './limit-bars.tsx';

/** Shows the usage of the plan by all workspaces that share it, for the workspace that pays. */
export function PlanUsage() {
  const { client } = useSession();
  const usage = useLoad(
    (signal) => client.get<UsageSummary>('/api/usage?include_children=true', signal),
    [client],
  );
  return (
    <Section title="What is used of the plan">
      <LoadedView loaded={usage}>
        {(summary) => (
          <>
            {summary.workspaces > 1 && (
              <p className="hint">
                By the {formatCount(summary.workspaces, 'workspace')} that share the plan.
              </p>
            )}
            <LimitBars usage={summary} />
          </>
        )}
      </LoadedView>
    </Section>
  );
}
