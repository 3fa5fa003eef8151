import base from '@xyflow/react/dist/base.css';
import { ReactFlowProvider } from '@xyflow/react';
import { adoptStyles } from '../../components/theme/adopt-styles.ts';
import styles from './canvas.css';
import type { CanvasProps } from './canvas-props.ts';
import { FlowCanvas } from './flow-canvas.tsx';

adoptStyles(base, styles);

/** The canvas for a flow with its styles and library, which are loaded on first use. */
export function DrawnCanvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <FlowCanvas {...props} />
    </ReactFlowProvider>
  );
}
