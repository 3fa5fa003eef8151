import { Button } from '@mantine/core';
import { useState } from 'react';
import { path } from '../client/paths.ts';
import type { KnowledgeSearch, KnowledgeSearchHit } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useSession } from '../session/session.tsx';
import { TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';
import { SafeLink } from '../components/safe-link.tsx';

type Hit = KnowledgeSearchHit & { relevance?: number };

/** Tests the search in the bot's documents, without a language model. */
export function SearchTab({ botId }: { botId: string }) {
  const { client } = useSession();
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<KnowledgeSearch | null>(null);
  const search = useAction(async () => {
    setFound(await client.ask<KnowledgeSearch>(path`/api/bots/${botId}/knowledge/search`, { query }));
  });
  return (
    <>
      <Form
        className="filters long"
        role="search"
        isReady={query.trim() !== ''}
        onSubmit={() => search.run()}
      >
        <TextField
          label="A question as visitors ask it"
          type="search"
          value={query}
          onChange={setQuery}
          maxLength={1000}
          isRequired
        />
        <Button type="submit" aria-disabled={search.isBusy || query.trim() === ''}>
          {search.isBusy ? 'Searching …' : 'Search'}
        </Button>
      </Form>
      <ProblemMessage problem={search.problem} />
      <div aria-live="polite">{found && <SearchResult {...found} />}</div>
    </>
  );
}

function SearchResult({ items, nearest = [], relevance_line: line = 0 }: KnowledgeSearch) {
  if (items.length > 0) return <Passages label="Passages" hits={items} />;
  if (nearest.length === 0)
    return (
      <p className="empty">
        Nothing in the documents is relevant: no passage has a word that the question is about.
      </p>
    );
  return (
    <section className="stack">
      <h2>Nothing in the documents is relevant</h2>
      <p>
        These passages come nearest. Each has some words of the question, or is about something like it, and
        stays below the line: the bot draws on passages with a relevance of {line.toFixed(2)} or more, and
        sees none of these.
      </p>
      <Passages label="Nearest passages" hits={nearest} line={line} />
    </section>
  );
}

function Passages({ label, hits, line }: { label: string; hits: readonly Hit[]; line?: number }) {
  return (
    <ol className="hits" aria-label={label}>
      {hits.map((hit) => (
        <li key={hit.chunk_id} className="card stack">
          <p className="row">
            <strong>{hit.title}</strong>
            {hit.relevance === undefined ? (
              <meter min={0} max={1} value={hit.score} aria-label="Score" />
            ) : (
              <Relevance relevance={hit.relevance} line={line ?? 1} />
            )}
            <span>
              {hit.relevance === undefined ? hit.score.toFixed(3) : `score ${hit.score.toFixed(3)}`}
            </span>
            {hit.matched_by.map((way) => (
              <span key={way} className="badge quiet">
                {way}
              </span>
            ))}
          </p>
          <p className="text">{hit.text}</p>
          {hit.source_url !== null && <SafeLink href={hit.source_url}>{hit.source_url}</SafeLink>}
        </li>
      ))}
    </ol>
  );
}

/** Bar that shows the relevance of a hit, with a mark at the required relevance. */
function Relevance({ relevance, line }: { relevance: number; line: number }) {
  return (
    <>
      <meter min={0} max={1} low={line} high={line} optimum={1} value={relevance} aria-label="Relevance" />
      <span>
        relevance {floorRelevance(relevance)} of {line.toFixed(2)} needed
      </span>
    </>
  );
}

/** Rounds a relevance down: rounded up, it could appear to reach the required relevance. */
function floorRelevance(relevance: number): string {
  return (Math.floor(relevance * 100) / 100).toFixed(2);
}
