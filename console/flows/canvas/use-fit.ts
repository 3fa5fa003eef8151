import { useEffect, useRef } from 'react';
import { useNodesInitialized, useReactFlow, useStore, type FitViewOptions } from '@xyflow/react';

/** Zoom factor below which the texts of steps on the canvas are too small to read. */
const MIN_READABLE_ZOOM = 0.7;
const PADDING = 0.1;

export const fitting: FitViewOptions = { padding: PADDING, maxZoom: 1 };

/** Fits the flow into the canvas when it is first drawn, and when the canvas changes its width. */
export function useFit(): void {
  const { fitView, getNodes, getNodesBounds } = useReactFlow();
  const isDrawn = useNodesInitialized();
  const width = useStore((state) => state.width);
  const fitted = useRef(0);
  useEffect(() => {
    if (!isDrawn || width === 0 || fitted.current === width) return;
    fitted.current = width;
    const nodes = getNodes();
    const isReadable = getNodesBounds(nodes).width * (1 + 2 * PADDING) * MIN_READABLE_ZOOM <= width;
    // Fit only the first steps into the canvas if the whole flow would be too small to read.
    void fitView(isReadable ? fitting : { ...fitting, nodes: nodes.slice(0, width < 500 ? 2 : 4) });
  }, [isDrawn, width]);
}
