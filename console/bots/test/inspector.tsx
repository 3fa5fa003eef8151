import { Anchor } from '@mantine/core';
import { useEffect, useState } from 'react';
import { listCitedSources } from '../../../browser/cited-sources.ts';
import { path } from '../../client/paths.ts';
import type { KnowledgeSearch } from '../../client/types.ts';
import { Facts } from '../../components/lists/facts.tsx';
import { SafeLink } from '../../components/text/safe-link.tsx';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { PassageList } from './passage-list.tsx';
import type { Turn } from './use-playground.ts';

const MAX_QUERY = 1000;

export interface InspectorProps {
  /** Question and answer to explain; undefined before the first question. */
  turn: Turn | undefined;
  botId: string;
}

/** Shows how the bot produced an answer: the search, the passages, the sources and the model. */
export function Inspector({ turn, botId }: InspectorProps) {
  const answer = turn?.answer ?? null;
  return (
    <section className="inspector" aria-label="Inspector">
      <header className="test-head">
        <h2>Inspector</h2>
      </header>
      {turn === undefined || answer === null ? (
        <p className="hint">
          {turn === undefined
            ? 'Send a message to see how the bot finds its answer.'
            : 'Waiting for the answer…'}
        </p>
      ) : (
        <Details turn={turn} answer={answer} botId={botId} />
      )}
    </section>
  );
}

interface DetailsProps {
  turn: Turn;
  answer: NonNullable<Turn['answer']>;
  botId: string;
}

function Details({ turn: { question, text }, answer, botId }: DetailsProps) {
  const { model, error, citations, searched_for: searchedFor, cost_usd: cost } = answer;
  const sources = [...new Set(listCitedSources(text, citations).values())];
  return (
    <div className="inspector-parts">
      {error !== null && (
        <p className="field-problem">
          The model failed: {error.message} ({error.code})
        </p>
      )}
      <Facts
        facts={[
          ['Search query', searchedFor],
          ['Rewritten', searchedFor !== null && searchedFor !== question ? 'Yes' : null],
          ['Model', model ?? 'No model call'],
          ['Time', `${answer.latency_ms} ms`],
          ['First token', answer.ttft_ms === null ? null : `${answer.ttft_ms} ms`],
          ['Tokens', describeTokens(answer)],
          ['Cost', cost === null ? null : `$${cost.toFixed(5)}`],
        ]}
      />
      {sources.length > 0 && (
        <div>
          <h3>Cited sources</h3>
          <ul className="source-list" aria-label="Sources">
            {sources.map(({ number, title, url }) => (
              <li key={number}>
                [{number}] {url === null ? title : <SafeLink href={url}>{title}</SafeLink>}
              </li>
            ))}
          </ul>
        </div>
      )}
      {searchedFor !== null && <Passages botId={botId} query={searchedFor} />}
    </div>
  );
}

function describeTokens({
  input_tokens: read,
  output_tokens: written,
}: DetailsProps['answer']): string | null {
  return read === null && written === null ? null : `${read ?? '–'} in, ${written ?? '–'} out`;
}

/** Shows the passages that the search finds for the query of an answer. */
function Passages({ botId, query }: { botId: string; query: string }) {
  const { client } = useSession();
  const mayRead = usePermission()('knowledge:read', 'viewer');
  const [result, setResult] = useState<KnowledgeSearch | null>(null);
  useEffect(() => {
    if (!mayRead) return;
    const unmounted = new AbortController();
    setResult(null);
    client
      .ask<KnowledgeSearch>(
        path`/api/bots/${botId}/knowledge/search`,
        { query: query.slice(0, MAX_QUERY) },
        unmounted.signal,
      )
      // Ignore errors: the inspector shows the answer without the passages, and the search mode shows the
      // errors of searches.
      .then(setResult, () => undefined);
    return () => unmounted.abort();
  }, [client, botId, query, mayRead]);
  if (result === null) return null;
  const hits = result.items.length > 0 ? result.items : (result.nearest ?? []);
  return (
    <div>
      <h3>{result.items.length > 0 ? 'Passages' : 'No relevant passages'}</h3>
      {hits.length === 0 ? (
        <p className="hint">
          No passage matches. <Anchor href={buildHref(['bots', botId, 'knowledge'])}>Add knowledge</Anchor>
        </p>
      ) : (
        <PassageList label="Passages" hits={hits} line={result.relevance_line} />
      )}
    </div>
  );
}
