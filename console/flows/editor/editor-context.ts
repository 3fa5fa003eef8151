import { createContext, useContext } from 'react';
import type { FlowEditor } from './use-flow-editor.ts';
import type { Trial } from '../trial/use-trial.ts';

export interface Editing {
  editor: FlowEditor;
  trial: Trial;
}

export const EditorContext = createContext<Editing | null>(null);

export function useEditing(): Editing {
  const editing = useContext(EditorContext);
  if (editing === null) throw new Error('useEditing must be called within EditorContext.Provider.');
  return editing;
}
