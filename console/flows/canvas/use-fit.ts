import { useEffect, useRef } from 'react';
import { useNodesInitialized, useReactFlow, useStore, type FitViewOptions } from '@xyflow/react';

export const fitting: FitViewOptions = { padding: 0.1, maxZoom: 1 };

/** Zooms to fit the flow into the canvas, when it is first drawn and when the canvas changes its width. */
export function useFit(): void {
  const { fitView, getNodes } = useReactFlow();
  const isDrawn = useNodesInitialized();
  const width = useStore((state) => state.width);
  const fitted = useRef(0);
  useEffect(() => {
    if (!isDrawn || width === 0 || fitted.current === width) return;
    fitted.current = width;
    // Fit only the first steps on a phone, where a whole flow would be too small to read.
    void fitView(width < 500 ? { ...fitting, nodes: getNodes().slice(0, 2) } : fitting);
  }, [isDrawn, width]);
}
