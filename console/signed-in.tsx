import { useEffect, useMemo } from 'preact/hooks';
import { Client } from './client/client.ts';
import type { Me } from './client/types.ts';
import { BookingsArea } from './bookings/lazy-bookings.tsx';
import { AlertsPage } from './alerts/lazy-alerts.tsx';
import { ArchivePage } from './archive/lazy-archive.tsx';
import { AnalyticsArea } from './analytics/lazy-analytics.tsx';
import { BillingArea } from './billing/lazy-billing.tsx';
import { BotPage } from './bots/bot-page.tsx';
import { GeneratePage } from './bots/generation/generate-page.tsx';
import { BotsPage } from './bots/bots-page.tsx';
import { Drafts } from './conversations/conversation/drafts.ts';
import { ConversationPage } from './conversations/conversation-page.tsx';
import { ConversationsPage } from './conversations/conversations-page.tsx';
import { EncryptionArea } from './encryption/lazy-encryption.tsx';
import { FlowPage } from './flows/lazy-flows.tsx';
import { useLoad } from './hooks/use-load.ts';
import { InboxFeed } from './conversations/inbox/inbox-feed.ts';
import { InboxPage } from './conversations/inbox/inbox-page.tsx';
import { ReadMarks } from './conversations/inbox/read-marks.ts';
import { Navigation } from './navigation.tsx';
import { NoSuchPage } from './no-such-page.tsx';
import { OwnAccountPage } from './accounts/own-account/own-account-page.tsx';
import { buildHref, isId, useRoute, type Route } from './router.ts';
import { sessionAuthority } from './session/authority.ts';
import { assignUnsavedWork, forms, hasUnsavedWork } from './session/unsaved-work.ts';
import type { Credentials } from './session/stored-credentials.ts';
import { SessionContext, type Session } from './session/session.tsx';
import { TeamPage } from './team/team-page.tsx';
import { DeliveriesPage } from './webhooks/deliveries-page.tsx';
import { WebhooksPage } from './webhooks/webhooks-page.tsx';
import { UsageArea } from './usage/lazy-usage.tsx';
import { LoadedView } from './ui/loaded-view.tsx';
import { PageBoundary } from './ui/page-boundary.tsx';
import { LinkedWorkspace } from './team/workspaces/linked-workspace.tsx';
import { FirstWorkspace } from './team/workspaces/first-workspace.tsx';

export interface SignedInProps {
  credentials: Credentials;
  /**
   * Called when the API no longer accepts the credentials.
   * @param reason message for the user
   */
  onRejected(reason: string): void;
  onSignOut(): Promise<void>;
}

const REJECTIONS = {
  key: 'Parley no longer takes this key: it was revoked or has expired. Sign in with another one.',
  session: 'Your session has ended. Sign in again to go on where you were.',
};

export function SignedIn({ credentials, onRejected, onSignOut }: SignedInProps) {
  const isSession = credentials.refreshToken !== null;
  const session = useMemo<Omit<Session, 'me'>>(() => {
    const client = new Client(sessionAuthority, () => onRejected(REJECTIONS[isSession ? 'session' : 'key']));
    const reads = new ReadMarks();
    const feed = new InboxFeed(client, reads);
    return { client, feed, reads, drafts: new Drafts(), forms, signOut: onSignOut };
  }, []);
  const me = useLoad(
    async (signal) => {
      const known = await session.client.get<Me>('/api/auth/me', signal);
      assignUnsavedWork(known.user.id);
      return known;
    },
    [session],
  );
  const isAuthorUnknown = me.data === undefined && hasUnsavedWork();
  useEffect(openConsolePath, []);
  useEffect(() => session.feed.start(), [session]);
  useEffect(() => session.reads.start(), [session]);
  useEffect(() => session.forms.start(), [session]);
  useEffect(() => () => session.drafts.close(), [session]);
  const route = useRoute();
  const { workspace: linked } = route.query;
  return (
    <SessionContext.Provider value={{ ...session, me }}>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Navigation current={route.segments[0] ?? 'inbox'} />
      <main id="main" tabIndex={-1}>
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
      </main>
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
  const thing = area === 'webhooks' || area === 'team' ? part : id;
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
    case 'webhooks':
      if (id === undefined) return <WebhooksPage />;
      return id === 'deliveries' ? <DeliveriesPage id={part} filters={query} /> : <NoSuchPage />;
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

/** Replaces the path of another page, such as the sign-in page, by /console in the address bar. */
function openConsolePath(): void {
  const { pathname, hash } = window.location;
  if (!pathname.startsWith('/console')) window.history.replaceState(null, '', `/console${hash}`);
}

/**
 * Moves the focus to the main content. An ordinary `#main` link would change the fragment, which holds the
 * location in the console.
 */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
