import { lazy } from 'react';
import { OwnAccountPage } from './accounts/own-account/own-account-page.tsx';
import { adoptStyles } from './components/theme/adopt-styles.ts';
import { LoadedView } from './components/lists/loaded-view.tsx';
import { ContactsArea } from './contacts/contacts-area.tsx';
import contactStyles from './contacts/contacts.css';
import composerStyles from './conversations/conversation/composer/composer.css';
import contactPanelStyles from './conversations/conversation/details/contact-panel.css';
import threadStyles from './conversations/conversation/thread/thread.css';
import conversationStyles from './conversations/conversations.css';
import inboxStyles from './conversations/inbox/inbox.css';
import { ConversationPage } from './conversations/conversation-page.tsx';
import { ConversationsPage } from './conversations/conversations-page.tsx';
import { InboxPage } from './conversations/inbox/inbox-page.tsx';
import { NoSuchPage } from './no-such-page.tsx';
import { isId, type Route } from './router.ts';
import { useSession } from './session/session.tsx';
import type { Credentials } from './session/stored-credentials.ts';
import { hasUnsavedWork } from './session/unsaved-work.ts';
import { FirstWorkspace } from './team/workspaces/first-workspace.tsx';
import { LinkedWorkspace } from './team/workspaces/linked-workspace.tsx';

adoptStyles(inboxStyles, threadStyles, composerStyles, contactPanelStyles, conversationStyles, contactStyles);

// Areas of the console whose scripts are loaded on first use.
const AlertsPage = lazy(async () => ({ default: (await import('./alerts/alerts-pages.tsx')).AlertsPage }));
const ArchivePage = lazy(async () => ({ default: (await import('./archive/archive-page.tsx')).ArchivePage }));
const AnalyticsArea = lazy(async () => ({
  default: (await import('./analytics/analytics-area.tsx')).AnalyticsArea,
}));
const BillingArea = lazy(async () => ({ default: (await import('./billing/billing-area.tsx')).BillingArea }));
const BookingsArea = lazy(async () => ({
  default: (await import('./bookings/bookings-pages.tsx')).BookingsArea,
}));
const BotsPage = lazy(async () => ({ default: (await import('./bots/bots-pages.ts')).BotsPage }));
const GeneratePage = lazy(async () => ({ default: (await import('./bots/bots-pages.ts')).GeneratePage }));
const StudioPage = lazy(async () => ({ default: (await import('./bots/bots-pages.ts')).StudioPage }));
const EncryptionArea = lazy(async () => ({
  default: (await import('./encryption/encryption-area.tsx')).EncryptionArea,
}));
const FlowPage = lazy(async () => ({ default: (await import('./flows/flow-pages.tsx')).FlowPage }));
const HomePage = lazy(async () => ({ default: (await import('./home/home-page.tsx')).HomePage }));
const TeamPage = lazy(async () => ({ default: (await import('./team/team-page.tsx')).TeamPage }));
const UsageArea = lazy(async () => ({ default: (await import('./usage/usage-area.tsx')).UsageArea }));
const WebhooksArea = lazy(async () => ({
  default: (await import('./webhooks/webhooks-area.tsx')).WebhooksArea,
}));

export interface AreasProps {
  credentials: Credentials;
  route: Route;
}

/**
 * Shows the page that the URL names, for a user who may have no workspace yet, or who follows a link to
 * another workspace.
 */
export function Areas({ credentials, route }: AreasProps) {
  const { me } = useSession();
  const isSession = credentials.refreshToken !== null;
  const { workspace: linked } = route.query;
  if (me.data === undefined && hasUnsavedWork())
    // Show no form before the user is loaded: unsaved work in the form may belong to another user.
    return <LoadedView loaded={me}>{() => null}</LoadedView>;
  if (linked !== undefined) return <LinkedWorkspace id={linked} route={route} credentials={credentials} />;
  if (isSession && credentials.orgId === null) return <NoWorkspacePage route={route} />;
  return <AreaPage route={route} />;
}

/** Areas of the console that consist of several pages. */
const routedAreas = new Map([
  ['analytics', AnalyticsArea],
  ['billing', BillingArea],
  ['bookings', BookingsArea],
  ['encryption', EncryptionArea],
  ['usage', UsageArea],
]);

function AreaPage({ route }: { route: Route }) {
  const { segments, query } = route;
  const [area = 'home', id, part, ...rest] = segments;
  if (area === 'bots' && id === 'new') return part === undefined ? <GeneratePage /> : <NoSuchPage />;
  const Area = routedAreas.get(area);
  if (Area) return part === undefined ? <Area part={id} query={query} /> : <NoSuchPage />;
  if (area === 'webhooks') return <WebhooksArea route={route} />;
  const routeId = area === 'team' ? part : id;
  if (routeId !== undefined && !isId(routeId)) return <NoSuchPage />;
  switch (area) {
    case 'conversations':
      return id === undefined ? <ConversationsPage filters={query} /> : <ConversationPage key={id} id={id} />;
    case 'contacts':
      return <ContactsArea id={id} filters={query} />;
    case 'bots':
      if (id === undefined) return <BotsPage />;
      if (part === 'flows' && isId(rest[0] ?? ''))
        return rest.length === 1 ? <FlowPage key={rest[0]} botId={id} flowId={rest[0]!} /> : <NoSuchPage />;
      return <StudioPage key={id} id={id} part={part ?? 'overview'} rest={rest} query={query} />;
    case 'archive':
      return id === undefined ? <ArchivePage /> : <NoSuchPage />;
    case 'alerts':
      return id === undefined ? <AlertsPage /> : <NoSuchPage />;
    case 'team':
      return <TeamPage tab={id ?? 'members'} part={part} filters={query} />;
    case 'account':
      return <OwnAccountPage />;
    case 'home':
      return id === undefined ? <HomePage /> : <NoSuchPage />;
    case 'inbox':
      return <InboxPage id={id} filters={query} />;
    default:
      return <NoSuchPage />;
  }
}

/**
 * Page for a user without a workspace: the settings of the user's account, or a form that creates a
 * workspace.
 */
function NoWorkspacePage({ route }: { route: Route }) {
  return route.segments[0] === 'account' ? <OwnAccountPage /> : <FirstWorkspace />;
}
