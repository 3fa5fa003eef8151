import { useEffect, useRef } from 'preact/hooks';
import { useNodesInitialized, useReactFlow, useStore, type FitViewOptions } from '@xyflow/react';

export const fitting: FitViewOptions = { padding: 0.1, maxZoom: 1 };

/** Fits the view when the flow is first drawn, and when the width of the canvas changes. */
export function useFit(): void {
  const { fitView, getNodes } = useReactFlow();
  const isDrawn = useNodesInitialized();
  const width = useStore((state) => state.width);
  const fitted = useRef(0);
  useEffect(() => {
    if (!isDrawn || width === 0 || fitted.current === width) return;
    fitted.current = width;
    // On a phone a whole flow would be too small to read: show its first steps.
    void fitView(width < 500 ? { ...fitting, nodes: getNodes().slice(0, 2) } : fitting);
  }, [isDrawn, width]);
}
