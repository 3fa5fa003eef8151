import type { RefObject } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import type { FlowRead } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { draftOf, isSameDraft, type FlowDraft } from '../graph/flow-draft.ts';
import { begin, type History } from '../graph/history.ts';

/** What somebody does with a flow, and what they began with. */
export interface Editing {
  /** As it was loaded or saved last. */
  base: FlowRead;
  history: History<FlowDraft>;
}

export interface KeptEditing {
  editing: Editing;
  /** As it is now, also for what began before. */
  latest: RefObject<Editing>;
  put(next: Editing): void;
}

export const flowFormOf = (flowId: string) => `flow/${flowId}`;

/** What is not saved stays while somebody looks at other pages, with what can be taken back. */
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
