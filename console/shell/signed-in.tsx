/** @jsxImportSource react */
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { AreasProps } from '../areas-props.ts';
import { Client } from '../client/client.ts';
import type { Me } from '../client/types.ts';
import { Drafts } from '../conversations/conversation/drafts.ts';
import { InboxFeed } from '../conversations/inbox/inbox-feed.ts';
import { ReadMarks } from '../conversations/inbox/read-marks.ts';
import { ProblemMessage } from '../react/problem-message.tsx';
import { useRoute } from '../react/use-route.ts';
import { isId, openConsolePath, type Route } from '../router.ts';
import { sessionAuthority } from '../session/authority.ts';
import type { Session } from '../session/session.tsx';
import type { Credentials } from '../session/stored-credentials.ts';
import { assignUnsavedWork, forms } from '../session/unsaved-work.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { LegacyArea } from './legacy-area.tsx';
import { PageSkeleton } from '../react/page-skeleton.tsx';
import { createQueries, getProblem } from './queries.ts';
import { SessionContext } from './session-context.ts';

const WebhooksArea = lazy(async () => ({
  default: (await import('../webhooks/webhooks-area.tsx')).WebhooksArea,
}));

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
    const loadMemberId = async (): Promise<string> =>
      (await queries.ensureQueryData(meQuery(client))).user.id;
    const feed = new InboxFeed(client, reads, loadMemberId);
    return { client, feed, reads, drafts: new Drafts(), forms, signOut: onSignOut };
  });
  const me = useQuery(meQuery(shared.client));
  useEffect(openConsolePath, []);
  useEffect(() => shared.feed.start(), [shared]);
  useEffect(() => shared.reads.start(), [shared]);
  useEffect(() => shared.forms.start(), [shared]);
  useEffect(() => () => shared.drafts.close(), [shared]);
  const problem = getProblem(me);
  const session = useMemo<Session>(
    () => ({
      ...shared,
      me: {
        data: me.data,
        problem,
        isLoading: me.isFetching,
        reload: () => void queries.refetchQueries({ queryKey: ME }),
        set: (data) => void queries.setQueryData<Me>(ME, data),
        change: (change) => void queries.setQueryData<Me>(ME, (before) => before && change(before)),
      },
    }),
    [shared, me.data, problem, me.isFetching],
  );
  const route = useRoute();
  return (
    <SessionContext.Provider value={session}>
      <Frame route={route}>
        <ErrorBoundary place={route.segments.join('/')}>
          <Suspense fallback={<PageSkeleton />}>
            <Area session={session} route={route} credentials={credentials} />
          </Suspense>
        </ErrorBoundary>
      </Frame>
    </SessionContext.Provider>
  );
}

/** Selects the framework that renders the page: the shell replaces area after area of the Preact pages. */
function Area(props: AreasProps) {
  const { route, credentials, session } = props;
  const isInWorkspace = credentials.refreshToken === null || credentials.orgId !== null;
  const isLinked = route.query['workspace'] !== undefined;
  if (!isWebhooksPage(route) || isLinked || !isInWorkspace) return <LegacyArea {...props} />;
  if (session.me.data !== undefined) return <WebhooksArea route={route} />;
  return <ProblemMessage problem={session.me.problem} onRetry={session.me.reload} />;
}

function isWebhooksPage({ segments: [area, part, ...rest] }: Route): boolean {
  if (area !== 'webhooks') return false;
  return (
    part === undefined ||
    (part === 'deliveries' && (rest[0] === undefined || isId(rest[0])) && rest.length <= 1)
  );
}

function meQuery(client: Client) {
  return {
    queryKey: ME,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const known = await client.get<Me>('/api/auth/me', signal);
      assignUnsavedWork(known.user.id);
      return known;
    },
    staleTime: Number.POSITIVE_INFINITY,
  };
}
