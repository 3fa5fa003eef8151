import type { Tokens } from '../../client/types.ts';
import { useAction, type Action } from '../../hooks/use-action.ts';
import { goTo, buildHref } from '../../router.ts';
import { toCredentials } from '../../session/authority.ts';
import { storedCredentials, replaceCredentials } from '../../session/stored-credentials.ts';
import { useSession } from '../../session/session.tsx';
import { showError } from '../../ui/notices.tsx';

const openInbox = (): void => goTo(buildHref(['inbox']));

/**
 * Returns an action that switches to another workspace. Opens its inbox by default, because the current page
 * may not exist there.
 */
export function useSwitchWorkspace(go = openInbox, onRefused = showError): Action<[orgId: string]> {
  const { client } = useSession();
  return useAction(
    async (orgId) => {
      const refresh_token = storedCredentials.value?.refreshToken ?? null;
      const tokens = await client.ask<Tokens>('/api/auth/switch-org', { org_id: orgId, refresh_token });
      go();
      replaceCredentials(toCredentials(tokens));
    },
    ({ message }) => onRefused(message),
  );
}
