import { useLayoutEffect, useMemo, useRef } from 'react';
import { listCitedSources, type Citation } from '../../../browser/cited-sources.ts';
import { MarkdownView } from '../../../browser/markdown-view.ts';

export interface MarkdownTextProps {
  text: string;
  /** Whether the text is incomplete because the answer is still streaming. */
  isGrowing?: boolean;
  /** Sources of the answer to which citations in the text refer. */
  citations?: readonly Citation[];
}

const none: readonly Citation[] = [];

/** Renders the Markdown of messages like the widget, except that each link also shows its target. */
export function MarkdownText({ text, isGrowing = false, citations = none }: MarkdownTextProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useMemo(() => {
    const sources = listCitedSources(text, citations);
    return new MarkdownView((index) => {
      const source = sources.get(index);
      return source ? document.createTextNode(`[${source.number}]`) : null;
    });
  }, [citations.length > 0]);
  useLayoutEffect(() => host.current?.replaceChildren(view.element), [view]);
  useLayoutEffect(() => {
    if (isGrowing) view.grow(text);
    else view.finish(text);
    for (const link of view.element.querySelectorAll('a'))
      link.classList.toggle('named', link.textContent !== link.getAttribute('href'));
  }, [view, text, isGrowing]);
  return <div ref={host} />;
}
