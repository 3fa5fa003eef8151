import { useStore } from '../hooks/store.ts';
import { useSession } from '../session/session.tsx';
import { ExportButton } from './editor/export-button.tsx';
import { flowFormOf, type Editing } from './editor/use-kept-editing.ts';

/** Offers to export or discard unsaved changes to a flow that was deleted. */
export function DeletedFlow({ flowId }: { flowId: string }) {
  const { forms } = useSession();
  const form = flowFormOf(flowId);
  const kept = useStore(forms)[form] as Editing | undefined;
  if (kept === undefined) return null;
  return (
    <div class="notice">
      <p>
        What you have changed of it is still here. Export it, and import the file as a new flow, to go on with
        it.
      </p>
      <div class="row">
        <ExportButton draft={kept.history.present} />
        <button type="button" class="danger" onClick={() => forms.put(form, {})}>
          Forget it
        </button>
      </div>
    </div>
  );
}
