import { Button } from '@mantine/core';
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
    <div className="row flow-toolbar" role="group" aria-label="The flow">
      {!isReadOnly && (
        <>
          <Button
            aria-disabled={!isChanged || saving.isBusy}
            onClick={() => {
              if (isChanged) saving.run('save');
            }}
          >
            {saving.isBusy ? 'Saving …' : 'Save'}
          </Button>
          <Button variant="default" aria-disabled={!editor.canUndo} onClick={editor.undo}>
            Undo
          </Button>
          <Button variant="default" aria-disabled={!editor.canRedo} onClick={editor.redo}>
            Redo
          </Button>
          <Button
            variant="default"
            aria-disabled={!isChanged}
            onClick={() => {
              if (isChanged) editor.discard();
            }}
          >
            Discard changes
          </Button>
          <SwitchButton />
          <ImportButton />
        </>
      )}
      <ExportButton draft={draft} />
      {!isReadOnly && (
        <button type="button" className="flow-try" aria-pressed={isTrying} onClick={onTry}>
          Try it
        </button>
      )}
      {isChanged && <span className="hint">Unsaved changes</span>}
    </div>
  );
}
