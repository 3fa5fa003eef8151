import { Button } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import type { Flow } from '../../client/types.ts';
import { Canvas } from '../canvas/canvas.tsx';
import { Outline } from '../outline/outline.tsx';
import { TrialPane } from '../trial/trial-pane.tsx';
import { useTrial } from '../trial/use-trial.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { EditorContext } from './editor-context.ts';
import { EditorToolbar } from './editor-toolbar.tsx';
import { FaultSummary } from './fault-summary.tsx';
import { FlowSettings } from './flow-settings.tsx';
import { useFlowEditor } from './use-flow-editor.ts';

type View = 'steps' | 'canvas' | 'trial';

const views = [
  ['steps', 'Steps'],
  ['canvas', 'Canvas'],
  ['trial', 'Try it'],
] as const;

export interface FlowEditorProps {
  flow: Flow;
  isReadOnly: boolean;
  /** Called with the saved flow. */
  onSaved(flow: Flow): void;
  /** Other flows of the bot, to which steps of this flow can jump. */
  others: readonly (readonly [id: string, name: string])[];
}

/** Editor of a flow. The editor shows the steps as a list or on a canvas, next to a test run. */
export function FlowEditor({ flow, isReadOnly, others, onSaved }: FlowEditorProps) {
  const editor = useFlowEditor(flow, { isReadOnly, onSaved });
  const trial = useTrial(editor);
  const [view, setView] = useState<View>('steps');
  const [isTrying, setTrying] = useState(false);
  useUndoKeys(editor.undo, editor.redo, isReadOnly);
  const editing = useMemo(() => ({ editor, trial }), [editor, trial]);
  const switchView = (next: View): void => {
    setView(next);
    if (next === 'trial') setTrying(true);
  };
  return (
    <EditorContext.Provider value={editing}>
      {isReadOnly && <p className="hint">You have view-only access.</p>}
      <EditorToolbar
        isTrying={isTrying}
        onTry={() => {
          setTrying(!isTrying);
          setView(isTrying ? 'steps' : 'trial');
          if (isTrying) trial.close();
        }}
      />
      <ConflictNotice />
      <FaultSummary onGoTo={() => setView('steps')} />
      <div className="flow-views" role="group" aria-label="View">
        {views
          .filter(([each]) => each !== 'trial' || !isReadOnly)
          .map(([each, name]) => (
            <Button
              variant="default"
              key={each}
              aria-pressed={each === view}
              onClick={() => switchView(each)}
            >
              {name}
            </Button>
          ))}
      </div>
      <div className={isTrying ? 'flow-editor trying' : 'flow-editor'} data-view={view}>
        <section className="flow-outline stack" aria-label="Steps of the flow">
          <details className="flow-settings" open={hasSettingsProblem(editor.saving.problem?.details)}>
            <summary>Name and trigger</summary>
            <FlowSettings />
          </details>
          <Outline flows={others} />
        </section>
        <Canvas />
        {isTrying && (
          <div className="flow-trial">
            <TrialPane />
          </div>
        )}
      </div>
    </EditorContext.Provider>
  );
}

function hasSettingsProblem(details: readonly { field: string }[] = []): boolean {
  return details.some(({ field }) => field === 'name' || field === 'trigger');
}

/**
 * Handles the keyboard shortcuts for undo and redo in the flow editor. Ignores them in text fields, where the
 * browser handles them.
 */
function useUndoKeys(undo: () => void, redo: () => void, isReadOnly: boolean): void {
  useEffect(() => {
    if (isReadOnly) return;
    const handleKey = (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (target instanceof Element && target.closest('input, textarea, select, dialog')) return;
      const name = key.toLowerCase();
      if (name !== 'z' && name !== 'y') return;
      event.preventDefault();
      if (name === 'y' || event.shiftKey) redo();
      else undo();
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  });
}
