import { render } from 'preact';
import base from '@xyflow/react/dist/base.css';
import { ReactFlowProvider } from '@xyflow/react';
import { adoptStyles } from '../../ui/adopt-styles.ts';
import styles from './canvas.css';
import type { CanvasProps, MountedCanvas } from './canvas-props.ts';
import { FlowCanvas } from './flow-canvas.tsx';

adoptStyles(base + styles);

/**
 * Starts rendering the canvas in an element.
 * @returns object that updates or removes the canvas
 */
export function mountCanvas(host: HTMLElement): MountedCanvas {
  return {
    draw: (props: CanvasProps) =>
      render(
        <ReactFlowProvider>
          <FlowCanvas {...props} />
        </ReactFlowProvider>,
        host,
      ),
    close: () => render(null, host),
  };
}
