import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Client } from '../client/client.ts';
import type { Me } from '../client/types.ts';
import { Drafts } from '../conversations/conversation/drafts.ts';
import { InboxFeed } from '../conversations/inbox/inbox-feed.ts';
import { startNotifier } from '../conversations/inbox/inbox-notifier.ts';
import { NotificationSettings } from '../conversations/inbox/notification-settings.ts';
import { ReadMarks } from '../conversations/inbox/read-marks.ts';
import { useRoute } from '../state/use-route.ts';
import { openConsolePath } from '../router.ts';
import { sessionAuthority } from '../session/authority.ts';
import type { Credentials } from '../session/stored-credentials.ts';
import { assignUnsavedWork, forms } from '../session/unsaved-work.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { PageSkeleton } from '../components/page/page-skeleton.tsx';
import { createQueries } from '../state/queries.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { SessionContext, type Session } from '../session/session.tsx';

const Areas = lazy(async () => ({ default: (await import('../areas.tsx')).Areas }));

export interface SignedInProps {
  credentials: Credentials;
  /**
   * Called when the API no longer accepts the user's credentials.
   * @param reason message for the user
   */
  onRejected(reason: string): void;
  onSignOut(): Promise<void>;
}

const REJECTIONS = {
  key: 'This API key was revoked or has expired. Sign in with another one.',
  session: 'Your session expired. Sign in to continue.',
};

const ME = ['/api/auth/me'];

export function SignedIn(props: SignedInProps) {
  const [queries] = useState(createQueries);
  return (
    <QueryClientProvider client={queries}>
      <SignedInConsole {...props} queries={queries} />
    </QueryClientProvider>
  );
}

function SignedInConsole({
  credentials,
  onRejected,
  onSignOut,
  queries,
}: SignedInProps & { queries: ReturnType<typeof createQueries> }) {
  const isSession = credentials.refreshToken !== null;
  const [shared] = useState<Omit<Session, 'me'>>(() => {
    const client = new Client(sessionAuthority, () => onRejected(REJECTIONS[isSession ? 'session' : 'key']));
    const reads = new ReadMarks();
    const notifications = new NotificationSettings(client, queries);
    const loadMemberId = async (): Promise<string> => {
      const known = await queries.ensureQueryData({
        queryKey: ME,
        queryFn: ({ signal }) => loadMe(client, signal),
      });
      // Notifications stay off if the settings of notifications cannot be loaded.
      void notifications.load(known).catch(() => undefined);
      return known.user.id;
    };
    const feed = new InboxFeed(client, reads, loadMemberId);
    return { client, feed, reads, notifications, drafts: new Drafts(), forms, signOut: onSignOut };
  });
  const me = useLoaded(ME, (signal) => loadMe(shared.client, signal), {
    staleMs: Number.POSITIVE_INFINITY,
  });
  useEffect(openConsolePath, []);
  useEffect(() => shared.feed.start(), [shared]);
  useEffect(() => shared.reads.start(), [shared]);
  useEffect(() => shared.notifications.start(), [shared]);
  useEffect(() => startNotifier({ ...shared, settings: shared.notifications }), [shared]);
  useEffect(() => shared.forms.start(), [shared]);
  useEffect(() => () => shared.drafts.close(), [shared]);
  const session = useMemo<Session>(() => ({ ...shared, me }), [shared, me]);
  const route = useRoute();
  return (
    <SessionContext.Provider value={session}>
      <Frame route={route}>
        <ErrorBoundary
          path={route.segments.join('/')}
          onRetry={() => queries.removeQueries({ type: 'inactive' })}
        >
          <Suspense fallback={<PageSkeleton />}>
            <Areas route={route} credentials={credentials} />
          </Suspense>
        </ErrorBoundary>
      </Frame>
    </SessionContext.Provider>
  );
}

async function loadMe(client: Client, signal: AbortSignal): Promise<Me> {
  const known = await client.get<Me>('/api/auth/me', signal);
  assignUnsavedWork(known.user.id);
  return known;
}
