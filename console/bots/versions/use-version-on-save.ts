import { useEffect, useRef } from 'react';
import type { BotVersion } from '../../client/types.ts';
import { useAction, type Action } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { showConfirmation, showError } from '../../components/page/notices.ts';
import { buildVersionsUrl } from './use-versions.ts';

interface VersionRequest {
  isEnabled: boolean;
  note: string;
}

/** State of the checkbox that stores a version of the bot when the bot is saved. */
export interface VersionOnSaveState extends VersionRequest {
  change(changed: Partial<VersionRequest>): void;
  /** Stores the version of the bot; after a failure, the user can try again. */
  createVersion: Action<[]>;
}

/** Notice after a failure to store the version of the bot. Shown only if the user has left the form. */
const NOT_STORED = 'The bot was saved, but not as a version.';

export function useVersionOnSave(botId: string): VersionOnSaveState {
  const { client } = useSession();
  const { draft, change, discard } = useFormDraft<VersionRequest>(`bot/${botId}/kept`, {
    isEnabled: false,
    note: '',
  });
  const isShown = useRef(true);
  useEffect(() => () => void (isShown.current = false), []);
  const createVersion = useAction(
    async () => {
      const note = draft.note.trim() || null;
      const { version } = await client.post<BotVersion>(buildVersionsUrl(botId), { note });
      discard();
      showConfirmation(`Version ${version} saved`);
    },
    ({ message }) => {
      if (!isShown.current) showError(`${NOT_STORED} ${message}`);
    },
  );
  return { ...draft, change, createVersion };
}
