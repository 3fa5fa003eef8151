import { Anchor } from '@mantine/core';
import { useState } from 'react';
import type { KnowledgeSearchHit } from '../../client/types.ts';
import { MarkdownText } from '../../components/text/markdown-text.tsx';
import { SafeLink } from '../../components/text/safe-link.tsx';

type Hit = KnowledgeSearchHit & { relevance?: number };

export interface PassageListProps {
  label: string;
  hits: readonly Hit[];
  /** Relevance that a passage needs for an answer; undefined if all passages are relevant enough. */
  line?: number | undefined;
}

/** Number of characters above which the list clips a passage until the user expands it. */
const SHOWN_CHARACTERS = 420;

/**
 * Lists found passages of documents with their scores. The headings in a passage show where it is in the
 * document.
 */
export function PassageList({ label, hits, line = 1 }: PassageListProps) {
  return (
    <ol className="passages" aria-label={label}>
      {hits.map((hit) => (
        <li key={hit.chunk_id} className="passage">
          <div className="passage-head">
            <strong>{hit.title}</strong>
            <span className="passage-score">
              {hit.relevance === undefined ? (
                <>
                  <meter min={0} max={1} value={hit.score} aria-label="Score" />
                  <span>{hit.score.toFixed(3)}</span>
                </>
              ) : (
                <>
                  <meter
                    min={0}
                    max={1}
                    low={line}
                    high={line}
                    optimum={1}
                    value={hit.relevance}
                    aria-label="Relevance"
                  />
                  <span>
                    relevance {floorRelevance(hit.relevance)} of {line.toFixed(2)} needed · score{' '}
                    {hit.score.toFixed(3)}
                  </span>
                </>
              )}
            </span>
            {hit.matched_by.map((method) => (
              <span key={method} className="tag">
                {method}
              </span>
            ))}
          </div>
          <PassageText text={hit.text} />
          {hit.source_url !== null && <SafeLink href={hit.source_url}>{hit.source_url}</SafeLink>}
        </li>
      ))}
    </ol>
  );
}

function PassageText({ text }: { text: string }) {
  const headings = listHeadings(text);
  const body = text.slice(headings.length);
  const isLong = body.length > SHOWN_CHARACTERS;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {headings.path !== '' && <p className="passage-path">{headings.path}</p>}
      <div className="passage-text" dir="auto" data-clipped={(isLong && !isOpen) || undefined}>
        <MarkdownText text={body} />
      </div>
      {isLong && (
        <Anchor component="button" type="button" size="xs" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
        </Anchor>
      )}
    </>
  );
}

/**
 * Finds the headings with which a passage begins. Returns their path, and the number of characters that they
 * take.
 */
function listHeadings(text: string): { path: string; length: number } {
  const [start = ''] = /^(\s*#{1,6} [^\n]*\n+)+/.exec(text) ?? [];
  const titles = start.split('\n').map((line) => line.replace(/^\s*#+ /, '').trim());
  return { path: titles.filter(Boolean).join(' › '), length: start.length };
}

/**
 * Rounds the relevance of a passage down: a relevance that is rounded up could appear to reach the required
 * relevance.
 */
function floorRelevance(relevance: number): string {
  return (Math.floor(relevance * 100) / 100).toFixed(2);
}
