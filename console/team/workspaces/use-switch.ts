import type { Tokens } from '../../client/types.ts';
import { useAction, type Action } from '../../hooks/use-action.ts';
import { goTo, hrefOf } from '../../router.ts';
import { credentialsOf } from '../../session/authority.ts';
import { kept, replace } from '../../session/kept-credentials.ts';
import { useSession } from '../../session/session.tsx';
import { tellProblem } from '../../ui/notices.tsx';

const toInbox = (): void => goTo(hrefOf(['inbox']));

/** Switches to another workspace. Opens its inbox by default, since the present page does not exist there. */
export function useSwitch(go = toInbox, onRefused = tellProblem): Action<[orgId: string]> {
  const { client } = useSession();
  return useAction(
    async (orgId) => {
      const refresh_token = kept.value?.refreshToken ?? null;
      const tokens = await client.ask<Tokens>('/api/auth/switch-org', { org_id: orgId, refresh_token });
      go();
      replace(credentialsOf(tokens));
    },
    ({ message }) => onRefused(message),
  );
}
