import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { buildHref, replaceWith, type Route } from '../../router.ts';
import type { Credentials } from '../../session/stored-credentials.ts';
import { useSession } from '../../session/session.tsx';
import { Page } from '../../components/page/page.tsx';
import { showError } from '../../components/page/notices.ts';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

export interface LinkedWorkspaceProps {
  /** Id of the workspace that the link names. */
  id: string;
  route: Route;
  credentials: Credentials;
}

const OTHER_WORKSPACE_THAN_KEY =
  'This link is for a different workspace than your API key. Sign in with your account to open that workspace.';

/** Handles a link from an email: switches to the workspace that the link names, then opens the page. */
export function LinkedWorkspace({ id, route: { segments, query }, credentials }: LinkedWorkspaceProps) {
  const { me } = useSession();
  const { workspace: _named, ...rest } = query;
  const href = buildHref(segments, rest);
  const isSession = credentials.refreshToken !== null;
  const current = isSession ? credentials.orgId : me.data?.organization?.id;
  const change = useSwitchWorkspace(() => replaceWith(href), refuseSwitch);
  useEffect(() => {
    if (current === undefined) return;
    if (current === id) replaceWith(href);
    else if (isSession) change.run(id);
    else refuseSwitch(OTHER_WORKSPACE_THAN_KEY);
  }, [id, current]);
  return (
    <Page title="Please wait…">
      <Text role="status">Opening the workspace…</Text>
    </Page>
  );
}

/** Opens the inbox of the current workspace and shows why the switch to another workspace failed. */
function refuseSwitch(why: string): void {
  replaceWith(buildHref(['inbox']));
  showError(why);
}
