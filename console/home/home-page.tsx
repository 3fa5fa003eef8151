import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { Bot, Conversation, Invitation, Member, Page as Listing } from '../client/types.ts';
import { path } from '../client/paths.ts';
import { adoptStyles } from '../components/theme/adopt-styles.ts';
import { Page } from '../components/page/page.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { useApi } from '../state/use-api.ts';
import { usePreferences } from '../state/use-preferences.ts';
import { useStore } from '../state/use-store.ts';
import { Checklist } from './checklist.tsx';
import styles from './home.css';
import { ProblemList } from './problem-list.tsx';
import { listSetupSteps } from './setup-steps.ts';
import { testedWorkspaces } from './tested-workspaces.ts';
import { WaitingList } from './waiting-list.tsx';
import { WeekFigures } from './week-figures.tsx';

adoptStyles(styles);

/**
 * Number of recent conversations among which the start page looks for one from a website of the workspace.
 */
const RECENT = 20;

/**
 * Start page of the console: waiting conversations, problems and the figures of the week. Shows the steps to
 * a live bot until all are done.
 */
export function HomePage() {
  const bots = useApi<Listing<Bot>>('/api/bots?page_size=100');
  const { preferences, isLoading, save } = usePreferences();
  // An API key has no preferences: dismissing hides the checklist only for this visit.
  const [isHidden, setHidden] = useState(false);
  const isDismissed = isHidden || isLoading || preferences?.has_dismissed_checklist === true;
  const steps = useSetupSteps(bots.data?.items, isDismissed);
  const hasLiveBot = bots.data?.items.some(({ status }) => status === 'active') === true;
  const showsSteps = steps?.some(({ isDone }) => !isDone) === true;
  return (
    <Page title="Home">
      <ProblemMessage problem={bots.problem} onRetry={bots.reload} />
      {steps === undefined && bots.isLoading && <Skeleton height={180} radius="md" />}
      {showsSteps && (
        <Checklist
          steps={steps}
          onDismiss={() => {
            setHidden(true);
            save({ has_dismissed_checklist: true });
          }}
        />
      )}
      {bots.data !== undefined && (hasLiveBot || !showsSteps) && (
        <div className="home-columns">
          <div className="home-column">
            <WaitingList bots={bots.data.items} />
            <ProblemList bots={bots.data.items} />
          </div>
          <WeekFigures />
        </div>
      )}
    </Page>
  );
}

/**
 * Returns the steps to set up the workspace; undefined until the completed steps are known, or if the user
 * may not set up bots. Loads nothing after the user has dismissed the checklist, and returns undefined.
 */
function useSetupSteps(bots: readonly Bot[] | undefined, isDismissed: boolean) {
  const { me } = useSession();
  const may = usePermission();
  const org = me.data?.organization?.id;
  const maySetUp = may('bots:write', 'member') && !isDismissed;
  const mayInvite = may('members:write', 'admin') && !isDismissed;
  const conversations = useApi<Listing<Conversation>>(
    maySetUp && may('conversations:read', 'viewer') ? `/api/conversations?page_size=${RECENT}` : null,
  );
  const members = useApi<Member[]>(org !== undefined && mayInvite ? path`/api/orgs/${org}/members` : null);
  const invitations = useApi<Invitation[]>(
    org !== undefined && mayInvite ? path`/api/orgs/${org}/invitations` : null,
  );
  const tested = useStore(testedWorkspaces);
  if (
    bots === undefined ||
    !maySetUp ||
    conversations.isLoading ||
    members.isLoading ||
    invitations.isLoading
  )
    return undefined;
  const steps = listSetupSteps({
    bots,
    conversations: conversations.data?.items ?? [],
    memberCount: members.data?.length ?? 0,
    invitationCount: invitations.data?.length ?? 0,
    hasTested: org !== undefined && tested.includes(org),
    origin: window.location.origin,
  });
  return steps.filter(({ id }) => id !== 'invite' || mayInvite);
}
