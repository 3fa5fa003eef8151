import type { UsageSummary } from '../client/types.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';
import { countText } from '../ui/count-text.ts';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Section } from '../ui/section.tsx';
import { LimitBars } from './limit-bars.tsx';

/** What all workspaces that share the plan have used of it this month: for the one that pays. */
export function PlanUsage() {
  const { client } = useSession();
  const usage = useLoad(
    (signal) => client.get<UsageSummary>('/api/usage?include_children=true', signal),
    [client],
  );
  return (
    <Section title="What is used of the plan">
      <LoadedView of={usage}>
        {(summary) => (
          <>
            {summary.workspaces > 1 && (
              <p class="hint">By the {countText(summary.workspaces, 'workspace')} that share the plan.</p>
            )}
            <LimitBars usage={summary} />
          </>
        )}
      </LoadedView>
    </Section>
  );
}
