import { useEditing } from './editor-context.ts';
import { ExportButton } from './export-button.tsx';
import { SwitchButton } from './switch-button.tsx';
import { ImportButton } from './import-button.tsx';

export interface EditorToolbarProps {
  isTrying: boolean;
  /** Called when the user opens or closes the test run. */
  onTry(): void;
}

/** Toolbar with actions on the whole flow. */
export function EditorToolbar({ isTrying, onTry }: EditorToolbarProps) {
  const { editor } = useEditing();
  const { draft, saving, isChanged, isReadOnly } = editor;
  return (
    <div class="row flow-toolbar" role="group" aria-label="The flow">
      {!isReadOnly && (
        <>
          <button
            type="button"
            class="primary"
            aria-disabled={!isChanged || saving.isBusy}
            onClick={() => {
              if (isChanged) saving.run('save');
            }}
          >
            {saving.isBusy ? 'Saving …' : 'Save'}
          </button>
          <button type="button" aria-disabled={!editor.canUndo} onClick={editor.undo}>
            Undo
          </button>
          <button type="button" aria-disabled={!editor.canRedo} onClick={editor.redo}>
            Redo
          </button>
          <button
            type="button"
            aria-disabled={!isChanged}
            onClick={() => {
              if (isChanged) editor.discard();
            }}
          >
            Discard changes
          </button>
          <SwitchButton />
          <ImportButton />
        </>
      )}
      <ExportButton draft={draft} />
      {!isReadOnly && (
        <button type="button" class="flow-try" aria-pressed={isTrying} onClick={onTry}>
          Try it
        </button>
      )}
      {isChanged && <span class="hint">Not saved yet. It stays here while you look at other pages.</span>}
    </div>
  );
}
