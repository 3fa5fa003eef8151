import type { RefObject } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import type { FlowRead } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { toFlowDraft, isSameDraft, type FlowDraft } from '../graph/flow-draft.ts';
import { startHistory, type History } from '../graph/history.ts';

/** The edits of a flow and the revision that they started from. */
export interface EditState {
  /** The flow as last loaded or saved. */
  base: FlowRead;
  history: History<FlowDraft>;
}

export interface StoredEditing {
  editing: EditState;
  /** The present state, also for callbacks of an earlier render. */
  latest: RefObject<EditState>;
  put(next: EditState): void;
}

export const getFlowFormKey = (flowId: string) => `flow/${flowId}`;

/** Keeps unsaved edits, with their undo history, while the user visits other pages. */
export function useStoredEditing(loaded: FlowRead): StoredEditing {
  const { forms } = useSession();
  const form = getFlowFormKey(loaded.id);
  const [editing, setEditing] = useState<EditState>(
    () =>
      (forms.value[form] as EditState | undefined) ?? {
        base: loaded,
        history: startHistory(toFlowDraft(loaded)),
      },
  );
  const latest = useRef(editing);
  const put = useCallback((next: EditState): void => {
    latest.current = next;
    setEditing(next);
    const isSaved = isSameDraft(next.history.present, toFlowDraft(next.base));
    forms.put(form, isSaved ? {} : (next as unknown as Record<string, unknown>));
  }, []);
  return { editing, latest, put };
}
