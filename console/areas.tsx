import { render } from 'preact';
import { AlertsPage } from './alerts/lazy-alerts.tsx';
import { AnalyticsArea } from './analytics/lazy-analytics.tsx';
import { ArchivePage } from './archive/lazy-archive.tsx';
import { OwnAccountPage } from './accounts/own-account/own-account-page.tsx';
import type { AreasProps, MountedAreas } from './areas-props.ts';
import { Store } from './client/store.ts';
import { useStore } from './hooks/use-store.ts';
import { BillingArea } from './billing/lazy-billing.tsx';
import { BookingsArea } from './bookings/lazy-bookings.tsx';
import { BotPage } from './bots/bot-page.tsx';
import { BotsPage } from './bots/bots-page.tsx';
import { GeneratePage } from './bots/generation/generate-page.tsx';
import { ConversationPage } from './conversations/conversation-page.tsx';
import { ConversationsPage } from './conversations/conversations-page.tsx';
import { InboxPage } from './conversations/inbox/inbox-page.tsx';
import { EncryptionArea } from './encryption/lazy-encryption.tsx';
import { FlowPage } from './flows/lazy-flows.tsx';
import { NoSuchPage } from './no-such-page.tsx';
import { buildHref, isId, type Route } from './router.ts';
import { SessionContext } from './session/session.tsx';
import { hasUnsavedWork } from './session/unsaved-work.ts';
import { TeamPage } from './team/team-page.tsx';
import { FirstWorkspace } from './team/workspaces/first-workspace.tsx';
import { LinkedWorkspace } from './team/workspaces/linked-workspace.tsx';
import { LoadedView } from './ui/loaded-view.tsx';
import { PageBoundary } from './ui/page-boundary.tsx';
import { UsageArea } from './usage/lazy-usage.tsx';

/**
 * Starts rendering the pages that still use Preact in an element of the React shell.
 * @returns object that updates or removes them
 */
export function mountAreas(host: HTMLElement): MountedAreas {
  const shown = new Store<AreasProps | null>(null);
  // Render the root once: Preact counts the ids of `useId` from 0 again for a new root.
  render(<Root shown={shown} />, host);
  return {
    draw: (props) => shown.set(props),
    close: () => render(null, host),
  };
}

function Root({ shown }: { shown: Store<AreasProps | null> }) {
  const props = useStore(shown);
  return props && <Areas {...props} />;
}

function Areas({ session, credentials, route }: AreasProps) {
  const { me } = session;
  const isSession = credentials.refreshToken !== null;
  const isAuthorUnknown = me.data === undefined && hasUnsavedWork();
  const { workspace: linked } = route.query;
  return (
    <SessionContext.Provider value={session}>
      <PageBoundary place={buildHref(route.segments, route.query)}>
        {isAuthorUnknown ? (
          // Show no form before the user is known: unsaved work in it may belong to another user.
          <LoadedView loaded={me}>{() => null}</LoadedView>
        ) : linked !== undefined ? (
          <LinkedWorkspace id={linked} route={route} credentials={credentials} />
        ) : isSession && credentials.orgId === null ? (
          <NoWorkspacePage route={route} />
        ) : (
          <AreaPage route={route} />
        )}
      </PageBoundary>
    </SessionContext.Provider>
  );
}

/** Areas of the console that consist of several pages. */
const routedAreas = new Map([
  ['analytics', AnalyticsArea],
  ['billing', BillingArea],
  ['bookings', BookingsArea],
  ['encryption', EncryptionArea],
  ['usage', UsageArea],
]);

function AreaPage({ route: { segments, query } }: { route: Route }) {
  const [area = 'inbox', id, part, ...rest] = segments;
  if (area === 'bots' && id === 'new') return part === undefined ? <GeneratePage /> : <NoSuchPage />;
  const Area = routedAreas.get(area);
  if (Area) return part === undefined ? <Area part={id} query={query} /> : <NoSuchPage />;
  const thing = area === 'team' ? part : id;
  if (thing !== undefined && !isId(thing)) return <NoSuchPage />;
  switch (area) {
    case 'conversations':
      return id === undefined ? <ConversationsPage filters={query} /> : <ConversationPage key={id} id={id} />;
    case 'bots':
      if (id === undefined) return <BotsPage />;
      if (part === 'flows' && isId(rest[0] ?? ''))
        return rest.length === 1 ? <FlowPage key={rest[0]} botId={id} flowId={rest[0]!} /> : <NoSuchPage />;
      return <BotPage key={id} id={id} tab={part ?? 'settings'} rest={rest} query={query} />;
    case 'archive':
      return id === undefined ? <ArchivePage /> : <NoSuchPage />;
    case 'alerts':
      return id === undefined ? <AlertsPage /> : <NoSuchPage />;
    case 'team':
      return <TeamPage tab={id ?? 'members'} part={part} filters={query} />;
    case 'account':
      return <OwnAccountPage />;
    case 'inbox':
      return <InboxPage id={id} filters={query} />;
    default:
      return <NoSuchPage />;
  }
}

/** Page for a user without a workspace: the settings of the account, or a form that creates a workspace. */
function NoWorkspacePage({ route }: { route: Route }) {
  return route.segments[0] === 'account' ? <OwnAccountPage /> : <FirstWorkspace />;
}
