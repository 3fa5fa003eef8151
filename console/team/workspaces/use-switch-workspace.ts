import { useAction, type Action } from '../../state/use-action.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { showError } from '../../components/notices.ts';
import { switchWorkspace } from './switch-workspace.ts';

const openInbox = (): void => goTo(buildHref(['inbox']));

/**
 * Returns an action that switches to another workspace. Opens its inbox by default, because the current page
 * may not exist there.
 */
export function useSwitchWorkspace(go = openInbox, onRefused = showError): Action<[orgId: string]> {
  const { client } = useSession();
  return useAction(
    (orgId: string) => switchWorkspace(client, orgId, go),
    ({ message }) => onRefused(message),
  );
}
