import { useEffect, useRef } from 'preact/hooks';
import type { BotVersion } from '../../client/types.ts';
import { useAction, type Action } from '../../hooks/use-action.ts';
import { useFormDraft } from '../../hooks/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { tell, tellProblem } from '../../ui/notices.tsx';
import { versionsUrl } from './use-versions.ts';

interface Wish {
  isWanted: boolean;
  note: string;
}

/** A version to store when the bot is saved. */
export interface KeptVersion extends Wish {
  change(changed: Partial<Wish>): void;
  /** Stores the version; can be retried after a failure. */
  keep: Action<[]>;
}

/** Notice that the bot was saved without a version, for when the form is no longer visible. */
const NOT_KEPT = 'The bot is saved, but no version of it is kept.';

export function useKeptVersion(botId: string): KeptVersion {
  const { client } = useSession();
  const { draft, change, discard } = useFormDraft<Wish>(`bot/${botId}/kept`, { isWanted: false, note: '' });
  const isShown = useRef(true);
  useEffect(() => () => void (isShown.current = false), []);
  const keep = useAction(
    async () => {
      const note = draft.note.trim() || null;
      const { version } = await client.post<BotVersion>(versionsUrl(botId), { note });
      discard();
      tell(`Version ${version} is kept.`);
    },
    ({ message }) => {
      if (!isShown.current) tellProblem(`${NOT_KEPT} ${message}`);
    },
  );
  return { ...draft, change, keep };
}
