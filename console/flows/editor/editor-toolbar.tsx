import { ActionIcon, Button } from '@mantine/core';
import { IconRedo, IconUndo } from '../../shell/icons.ts';
import { useEditing } from './editor-context.ts';
import { ExportButton } from './export-button.tsx';
import { SwitchButton } from './switch-button.tsx';
import { ImportButton } from './import-button.tsx';

export interface EditorToolbarProps {
  isTrying: boolean;
  /** Called when the user opens or closes the test run of the flow. */
  onTry(): void;
}

/** Toolbar with actions on the whole flow. */
export function EditorToolbar({ isTrying, onTry }: EditorToolbarProps) {
  const { editor } = useEditing();
  const { draft, saving, isChanged, isReadOnly } = editor;
  return (
    <div className="row flow-toolbar" role="group" aria-label="Actions on the flow">
      {!isReadOnly && (
        <>
          <Button
            aria-disabled={!isChanged || saving.isBusy}
            data-inactive={!isChanged || saving.isBusy || undefined}
            onClick={() => {
              if (isChanged) saving.run('save');
            }}
          >
            {saving.isBusy ? 'Saving…' : 'Save'}
          </Button>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label="Undo"
            title="Undo (Ctrl+Z)"
            aria-disabled={!editor.canUndo}
            data-inactive={!editor.canUndo || undefined}
            onClick={editor.undo}
          >
            <IconUndo />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label="Redo"
            title="Redo (Ctrl+Y)"
            aria-disabled={!editor.canRedo}
            data-inactive={!editor.canRedo || undefined}
            onClick={editor.redo}
          >
            <IconRedo />
          </ActionIcon>
          <Button
            variant="default"
            aria-disabled={!isChanged}
            data-inactive={!isChanged || undefined}
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
        <Button
          className="flow-try"
          variant={isTrying ? 'light' : 'default'}
          aria-pressed={isTrying}
          onClick={onTry}
        >
          Try it
        </Button>
      )}
    </div>
  );
}
