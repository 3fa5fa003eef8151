import { useState } from 'react';
import type { ApiError } from '../../client/api-error.ts';
import type { Flow } from '../../client/types.ts';
import { toFlowDraft, isSameDraft, type FlowDraft, type FlowGraph } from '../graph/flow-draft.ts';
import { recordChange, redo, undo, type History } from '../graph/history.ts';
import { toFaults, filterCurrentFaults, type Fault, type Findings } from '../graph/problems.ts';
import { useStoredEditing } from './use-stored-editing.ts';
import { useSaving, type Saving } from './use-saving.ts';

export interface FlowEditor extends Saving {
  flow: Flow;
  draft: FlowDraft;
  isChanged: boolean;
  isReadOnly: boolean;
  canUndo: boolean;
  canRedo: boolean;
  undo(): void;
  redo(): void;
  /**
   * Changes the draft.
   * @param subject key of the edited value, such as a field: consecutive changes with the same key become one
   * undo step
   */
  change(changed: Partial<FlowDraft>, subject?: string): void;
  changeGraph(edit: (graph: FlowGraph) => FlowGraph, subject?: string): void;
  discard(): void;
  selected: string | null;
  select(id: string | null): void;
  faults: readonly Fault[];
  /** Shows the errors that the API found in the flow's graph; null removes the errors. */
  reportProblem(problem: ApiError | null, graph: FlowGraph): void;
}

export interface FlowEditorOptions {
  isReadOnly: boolean;
  /** Called with the stored flow after it was saved, activated or deactivated. */
  onSaved(flow: Flow): void;
}

/** Returns the state of the flow editor, and the functions that change it. */
export function useFlowEditor(loaded: Flow, { isReadOnly, onSaved }: FlowEditorOptions): FlowEditor {
  const storage = useStoredEditing(loaded);
  const { editing, latest, put } = storage;
  const [selected, select] = useState<string | null>(null);
  const [findings, setFindings] = useState<Findings | null>(null);
  const reportProblem = (problem: ApiError | null, graph: FlowGraph): void =>
    setFindings(problem && { graph, faults: toFaults(problem.details, graph) });
  const stored = useSaving({ loaded, storage, reportProblem, onSaved });
  const { base, history } = editing;
  const draft = history.present;
  const edit = (next: (before: History<FlowDraft>) => History<FlowDraft>): void =>
    put({ ...latest.current, history: next(latest.current.history) });
  return {
    ...stored,
    flow: base,
    draft,
    isChanged: !isSameDraft(draft, toFlowDraft(base)),
    isReadOnly,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => edit(undo),
    redo: () => edit(redo),
    change: (changed, subject) =>
      edit((before) => recordChange(before, { ...before.present, ...changed }, subject ?? null)),
    changeGraph: (changing, subject) =>
      edit((before) => {
        const graph = changing(before.present.graph);
        if (graph === before.present.graph) return before;
        return recordChange(before, { ...before.present, graph }, subject ?? null);
      }),
    discard: () => edit((before) => recordChange(before, toFlowDraft(latest.current.base))),
    selected,
    select,
    faults: findings === null ? [] : filterCurrentFaults(findings, draft.graph),
    reportProblem,
  };
}
