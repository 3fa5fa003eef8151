import { nameOf } from '../../ui/name-of.ts';
import { useSwitch } from './use-switch.ts';

/** Button that switches to a workspace. */
export function WorkIn({ id, name }: { id: string; name: string }) {
  const change = useSwitch();
  return (
    <button
      type="button"
      aria-label={nameOf('Work in it:', name)}
      aria-disabled={change.isBusy}
      onClick={() => change.run(id)}
    >
      Work in it
    </button>
  );
}
