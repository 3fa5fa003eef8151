import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { ChartData, Format } from './chart-data.ts';
import { toPlotData, createPlotOptions, type Shape } from './drawing-options.ts';

export interface DrawingProps {
  data: ChartData;
  shape: Shape;
  format: Format;
  /** Description of the chart for screen readers. */
  summary: string;
  onPoint(row: number | null): void;
}

const HEIGHT = 200;

/** Draws a chart on a canvas. Draws it again when the width or the color scheme changes. */
export function Drawing({ data, shape, format, summary, onPoint }: DrawingProps) {
  const container = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const target = container.current!;
    const size = () => ({ width: target.clientWidth, height: HEIGHT });
    const plot = new uPlot(
      createPlotOptions({ data, shape, format, size: size(), onPoint }),
      toPlotData(data, shape),
      target,
    );
    const watch = new ResizeObserver(() => plot.setSize(size()));
    watch.observe(target);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
    // The canvas keeps the colors with which it was drawn, so a new color scheme draws it again.
  }, [data, shape, format, scheme]);
  return <div ref={container} className="drawing" role="img" aria-label={summary} />;
}
