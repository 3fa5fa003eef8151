import type { FlowNodeType } from '../graph/flow-draft.ts';
import { kindIcons } from './kind-icons.ts';

/** Colored icon of a type of flow step. */
export function KindIcon({ type }: { type: FlowNodeType }) {
  const { icon: Icon, tint } = kindIcons[type];
  return (
    <span className="kind-icon" data-tint={tint}>
      <Icon size={16} />
    </span>
  );
}
