import { useCallback, useRef, useState, type RefObject } from 'react';
import type { Flow } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { toFlowDraft, isSameDraft, type FlowDraft } from '../graph/flow-draft.ts';
import { startHistory, type History } from '../graph/history.ts';

/** Unsaved changes to a flow, and the stored version on which they are based. */
export interface EditState {
  /** The flow as it was last loaded or saved. */
  base: Flow;
  history: History<FlowDraft>;
}

export interface StoredEditing {
  editing: EditState;
  /**
   * Current state of the edited flow. Callbacks of earlier renders read it here, since their own copy may be
   * outdated.
   */
  latest: RefObject<EditState>;
  put(next: EditState): void;
}

export const getFlowFormKey = (flowId: string) => `flow/${flowId}`;

/** Holds unsaved changes to a flow and their undo history, which survive visits to other pages. */
export function useStoredEditing(loaded: Flow): StoredEditing {
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
