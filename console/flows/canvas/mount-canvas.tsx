import { render } from 'preact';
import base from '@xyflow/react/dist/base.css';
import { ReactFlowProvider } from '@xyflow/react';
import styles from './canvas.css';
import type { CanvasProps, MountedCanvas } from './canvas-props.ts';
import { FlowCanvas } from './flow-canvas.tsx';

for (const text of [base, styles]) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Puts a canvas on the page. */
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
