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
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = place.current!;
    const size = () => ({ width: target.clientWidth, height: HEIGHT });
    const draw = () =>
      new uPlot(
        createPlotOptions({ data, shape, format, size: size(), onPoint }),
        toPlotData(data, shape),
        target,
      );
    let plot = draw();
    const colours = window.matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => {
      plot.destroy();
      plot = draw();
    };
    const watch = new ResizeObserver(() => plot.setSize(size()));
    watch.observe(target);
    colours.addEventListener('change', redraw);
    return () => {
      watch.disconnect();
      colours.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [data, shape, format]);
  return <div ref={place} className="drawing" role="img" aria-label={summary} />;
}
