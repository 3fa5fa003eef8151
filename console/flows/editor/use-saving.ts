import { useEffect, useState } from 'react';
import { toApiError, type ApiError } from '../../client/api-error.ts';
import { path } from '../../client/paths.ts';
import type { Flow } from '../../client/types.ts';
import { useAction, type Action } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { toFlowRequest, toFlowDraft, isNewer, isSameDraft, type FlowGraph } from '../graph/flow-draft.ts';
import { recordChange } from '../graph/history.ts';
import type { StoredEditing } from './use-stored-editing.ts';

/**
 * Actions that save, activate or deactivate the flow. `activate` first saves unsaved changes. `overwrite`
 * saves although another user has saved the flow after this user loaded it.
 */
type SavingAct = 'save' | 'overwrite' | 'activate' | 'deactivate';

export interface Saving {
  saving: Action<[SavingAct]>;
  /**
   * The version of the flow that another user has saved after this user loaded the flow; null if no such
   * version exists.
   */
  conflict: Flow | null;
  loadTheirs(): void;
}

export interface SavingProps {
  loaded: Flow;
  storage: StoredEditing;
  /** Shows the errors that the API found in the flow's graph; null removes the errors. */
  reportProblem(problem: ApiError | null, graph: FlowGraph): void;
  onSaved(flow: Flow): void;
}

/**
 * Saves, activates and deactivates a flow. Does not overwrite another user's changes before the user confirms
 * this.
 */
export function useSaving({ loaded, storage, reportProblem, onSaved }: SavingProps): Saving {
  const { client } = useSession();
  const { latest, put } = storage;
  const [conflict, setConflict] = useState<Flow | null>(null);
  const url = path`/api/flows/${loaded.id}`;
  useEffect(() => {
    // Report a conflict as soon as the editor opens: the unsaved changes may be based on an older version.
    if (isNewer(loaded, latest.current.base)) setConflict(loaded);
  }, []);
  const reportFaults = async (graph: FlowGraph, call: () => Promise<Flow>): Promise<Flow> => {
    try {
      const flow = await call();
      reportProblem(null, graph);
      onSaved(flow);
      return flow;
    } catch (error) {
      reportProblem(toApiError(error), graph);
      throw error;
    }
  };
  /**
   * Saves the user's draft of the flow unless another user has saved the flow.
   * @returns whether the draft was saved
   */
  const saveFlow = async (isForced: boolean): Promise<boolean> => {
    const sentState = latest.current.history.present;
    const now = await client.get<Flow>(url);
    const hasConflict = !isForced && isNewer(now, latest.current.base);
    setConflict(hasConflict ? now : null);
    if (hasConflict) return false;
    const saved = await reportFaults(sentState.graph, () =>
      client.put(url, toFlowRequest(sentState, loaded.bot_id)),
    );
    const { history } = latest.current;
    const present = history.present === sentState ? toFlowDraft(saved) : history.present;
    put({ base: saved, history: { ...history, present, subject: null } });
    return true;
  };
  const switchTo = async (act: 'activate' | 'deactivate'): Promise<void> => {
    const { graph } = toFlowDraft(latest.current.base);
    const flow = await reportFaults(graph, () => client.post(`${url}/${act}`));
    const { current } = latest;
    if (isNewer(flow, current.base)) setConflict(flow);
    const { is_active, activated_at, updated_at } = flow;
    put({ ...current, base: { ...current.base, is_active, activated_at, updated_at } });
    showConfirmation(is_active ? 'Flow is live' : 'Flow deactivated');
  };
  const saving = useAction(async (act: SavingAct) => {
    const { base, history } = latest.current;
    const isChanged = !isSameDraft(history.present, toFlowDraft(base));
    if (act === 'save' || act === 'overwrite') {
      if (await saveFlow(act === 'overwrite')) showConfirmation('Flow saved');
    } else if (act === 'deactivate' || !isChanged || (await saveFlow(false))) await switchTo(act);
  });
  return {
    saving,
    conflict,
    loadTheirs: () => {
      if (conflict === null) return;
      setConflict(null);
      onSaved(conflict);
      put({ base: conflict, history: recordChange(latest.current.history, toFlowDraft(conflict)) });
    },
  };
}
