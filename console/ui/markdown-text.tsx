import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { MarkdownView } from '../../browser/markdown-view.ts';

export interface MarkdownTextProps {
  text: string;
  /** More of it is to come. */
  isGrowing?: boolean;
}

/** A text as visitors see it, but every link shows where it leads. */
export function MarkdownText({ text, isGrowing = false }: MarkdownTextProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useMemo(() => new MarkdownView(), []);
  useLayoutEffect(() => host.current?.append(view.element), [view]);
  useLayoutEffect(() => {
    if (isGrowing) view.grow(text);
    else view.finish(text);
    for (const link of view.element.querySelectorAll('a'))
      link.classList.toggle('named', link.textContent !== link.getAttribute('href'));
  }, [view, text, isGrowing]);
  return <div ref={host} />;
}
