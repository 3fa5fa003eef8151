import { useAction, type Action } from '../../state/use-action.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { showError } from '../../components/page/notices.ts';
import { switchWorkspace } from './switch-workspace.ts';

const openHome = (): void => goTo(buildHref([]));

/**
 * Returns an action that switches to another workspace. Opens the start page by default, because the current
 * page may not exist there.
 */
export function useSwitchWorkspace(go = openHome, onRefused = showError): Action<[orgId: string]> {
  const { client } = useSession();
  return useAction(
    (orgId: string) => switchWorkspace(client, orgId, go),
    ({ message }) => onRefused(message),
  );
}
