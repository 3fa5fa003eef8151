import { createRoot } from 'react-dom/client';
import base from '@xyflow/react/dist/base.css';
import { ReactFlowProvider } from '@xyflow/react';
import { adoptStyles } from '../../components/adopt-styles.ts';
import styles from './canvas.css';
import type { CanvasProps, MountedCanvas } from './canvas-props.ts';
import { FlowCanvas } from './flow-canvas.tsx';

adoptStyles(base + styles);

/**
 * Starts rendering the canvas in an element.
 * @returns object that updates or removes the canvas
 */
export function mountCanvas(host: HTMLElement): MountedCanvas {
  const root = createRoot(host);
  return {
    draw: (props: CanvasProps) =>
      root.render(
        <ReactFlowProvider>
          <FlowCanvas {...props} />
        </ReactFlowProvider>,
      ),
    // React may be removing the page around the canvas right now.
    close: () => queueMicrotask(() => root.unmount()),
  };
}
