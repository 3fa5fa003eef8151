import { useState } from 'preact/hooks';
import { path } from '../client/paths.ts';
import type { KnowledgeSearch, KnowledgeSearchHit } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { SafeLink } from '../ui/safe-link.tsx';

/** What the bot finds in its documents, before any model has a say. */
export function SearchTab({ botId }: { botId: string }) {
  const { client } = useSession();
  const [query, setQuery] = useState('');
  const [hits, setHits] = useState<KnowledgeSearchHit[] | null>(null);
  const search = useAction(async () => {
    setHits((await client.ask<KnowledgeSearch>(path`/api/bots/${botId}/knowledge/search`, { query })).items);
  });
  return (
    <>
      <Form class="filters" role="search" onSubmit={() => search.run()}>
        <TextField
          label="A question as visitors ask it"
          type="search"
          value={query}
          onChange={setQuery}
          maxLength={1000}
          isRequired
        />
        <button class="primary" type="submit" disabled={search.isBusy || query.trim() === ''}>
          {search.isBusy ? 'Searching …' : 'Search'}
        </button>
      </Form>
      <ProblemMessage problem={search.problem} />
      {hits?.length === 0 && <p class="empty">Nothing in the documents is relevant.</p>}
      <ol class="hits" aria-label="Passages">
        {hits?.map((hit) => (
          <li key={hit.chunk_id} class="card stack">
            <p class="row">
              <strong>{hit.title}</strong>
              <meter min={0} max={1} value={hit.score} aria-label="Score" />
              <span>{hit.score.toFixed(3)}</span>
              {hit.matched_by.map((way) => (
                <span key={way} class="badge quiet">
                  {way}
                </span>
              ))}
            </p>
            <p class="text">{hit.text}</p>
            {hit.source_url !== null && <SafeLink href={hit.source_url}>{hit.source_url}</SafeLink>}
          </li>
        ))}
      </ol>
    </>
  );
}
