import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { toApiError, type ApiError } from '../../client/api-error.ts';
import { path } from '../../client/paths.ts';
import type { FlowRead } from '../../client/types.ts';
import { useAction, type Action } from '../../hooks/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { tell } from '../../ui/notices.tsx';
import {
  bodyOf,
  draftOf,
  isNewer,
  isSameDraft,
  type FlowDraft,
  type FlowGraph,
} from '../graph/flow-draft.ts';
import { begin, change, redo, undo, type History } from '../graph/history.ts';
import { faultsOf, presentFaults, type Fault, type Findings } from '../graph/problems.ts';

/** What somebody does with a flow, and what they began with. */
interface Editing {
  /** As it was loaded or saved last. */
  base: FlowRead;
  history: History<FlowDraft>;
}

export interface FlowEditor {
  flow: FlowRead;
  draft: FlowDraft;
  isChanged: boolean;
  isReadOnly: boolean;
  canUndo: boolean;
  canRedo: boolean;
  undo(): void;
  redo(): void;
  /** @param subject what goes on being changed, as a field does while somebody types */
  change(changed: Partial<FlowDraft>, subject?: string): void;
  changeGraph(edit: (graph: FlowGraph) => FlowGraph, subject?: string): void;
  discard(): void;
  selected: string | null;
  select(id: string | null): void;
  faults: readonly Fault[];
  /** Takes over what a refusal says of a graph that was sent. */
  find(problem: ApiError, graph: FlowGraph): void;
  save: Action<[isForced?: boolean]>;
  /** What somebody else has saved meanwhile; null where nobody has. */
  conflict: FlowRead | null;
  takeTheirs(): void;
  /** Shows what is stored now, as activating it has changed it. */
  adopt(flow: FlowRead): void;
}

export const flowFormOf = (flowId: string) => `flow/${flowId}`;

/** A flow while it is edited. What is not saved stays while somebody looks at other pages, with what can be taken back. */
export function useFlowEditor(
  loaded: FlowRead,
  isReadOnly: boolean,
  onSaved: (flow: FlowRead) => void,
): FlowEditor {
  const { client, forms } = useSession();
  const form = flowFormOf(loaded.id);
  const [editing, setEditing] = useState<Editing>(
    () => (forms.value[form] as Editing | undefined) ?? { base: loaded, history: begin(draftOf(loaded)) },
  );
  const latest = useRef(editing);
  const [selected, select] = useState<string | null>(null);
  const [findings, setFindings] = useState<Findings | null>(null);
  const [conflict, setConflict] = useState<FlowRead | null>(null);
  const { base, history } = editing;
  const draft = history.present;

  const put = useCallback((next: Editing): void => {
    latest.current = next;
    setEditing(next);
    const isSaved = isSameDraft(next.history.present, draftOf(next.base));
    forms.put(form, isSaved ? {} : (next as unknown as Record<string, unknown>));
  }, []);
  const edit = useCallback((next: (before: History<FlowDraft>) => History<FlowDraft>): void => {
    const { current } = latest;
    put({ ...current, history: next(current.history) });
  }, []);
  const start = (from: FlowRead): void => {
    setConflict(null);
    setFindings(null);
    put({ base: from, history: change(latest.current.history, draftOf(from)) });
  };
  useEffect(() => {
    // What was begun before somebody else has saved it is told of at once, not when it is saved.
    if (base !== loaded && isNewer(loaded, base)) setConflict(loaded);
  }, []);
  const find = (problem: ApiError, graph: FlowGraph): void =>
    setFindings({ graph, faults: faultsOf(problem.details, graph) });

  const save = useAction(async (isForced = false) => {
    const sent = latest.current.history.present;
    const url = path`/api/flows/${loaded.id}`;
    const now = await client.get<FlowRead>(url);
    if (!isForced && isNewer(now, latest.current.base)) {
      setConflict(now);
      return;
    }
    setConflict(null);
    try {
      const saved = await client.put<FlowRead>(url, bodyOf(sent, loaded.bot_id));
      setFindings(null);
      const { current } = latest;
      const isTypedSince = current.history.present !== sent;
      const present = isTypedSince ? current.history.present : draftOf(saved);
      put({ base: saved, history: { ...current.history, present, subject: null } });
      onSaved(saved);
      tell('The flow is saved.');
    } catch (error) {
      find(toApiError(error), sent.graph);
      throw error;
    }
  });
  return {
    flow: base,
    draft,
    isChanged: !isSameDraft(draft, draftOf(base)),
    isReadOnly,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => edit(undo),
    redo: () => edit(redo),
    change: (changed, subject) =>
      edit((before) => change(before, { ...before.present, ...changed }, subject ?? null)),
    changeGraph: (changing, subject) =>
      edit((before) => {
        const graph = changing(before.present.graph);
        if (graph === before.present.graph) return before;
        return change(before, { ...before.present, graph }, subject ?? null);
      }),
    discard: () => start(latest.current.base),
    selected,
    select,
    faults: findings === null ? [] : presentFaults(findings, draft.graph),
    find,
    save,
    conflict,
    takeTheirs: () => conflict !== null && start(conflict),
    adopt: (flow) => put({ ...latest.current, base: flow }),
  };
}
