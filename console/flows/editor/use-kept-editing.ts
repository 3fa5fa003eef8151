import type { RefObject } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import type { FlowRead } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { draftOf, isSameDraft, type FlowDraft } from '../graph/flow-draft.ts';
import { begin, type History } from '../graph/history.ts';

/** The edits of a flow and the revision that they started from. */
export interface Editing {
  /** The flow as last loaded or saved. */
  base: FlowRead;
  history: History<FlowDraft>;
}

export interface KeptEditing {
  editing: Editing;
  /** The present state, also for callbacks of an earlier render. */
  latest: RefObject<Editing>;
  put(next: Editing): void;
}

export const flowFormOf = (flowId: string) => `flow/${flowId}`;

/** Keeps unsaved edits, with their undo history, while the user visits other pages. */
export function useKeptEditing(loaded: FlowRead): KeptEditing {
  const { forms } = useSession();
  const form = flowFormOf(loaded.id);
  const [editing, setEditing] = useState<Editing>(
    () => (forms.value[form] as Editing | undefined) ?? { base: loaded, history: begin(draftOf(loaded)) },
  );
  const latest = useRef(editing);
  const put = useCallback((next: Editing): void => {
    latest.current = next;
    setEditing(next);
    const isSaved = isSameDraft(next.history.present, draftOf(next.base));
    forms.put(form, isSaved ? {} : (next as unknown as Record<string, unknown>));
  }, []);
  return { editing, latest, put };
}
