import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { KnowledgeSearch } from '../../client/types.ts';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useSession } from '../../session/session.tsx';
import { IconSearch } from '../../shell/icons.ts';
import { useAction } from '../../state/use-action.ts';
import { PassageList } from './passage-list.tsx';

/** Searches the bot's knowledge for a test question, without a language model. */
export function SearchTest({ botId }: { botId: string }) {
  const { client } = useSession();
  const [query, setQuery] = useState('');
  const [result, setResult] = useState<KnowledgeSearch | null>(null);
  const search = useAction(async () => {
    setResult(await client.ask<KnowledgeSearch>(path`/api/bots/${botId}/knowledge/search`, { query }));
  });
  return (
    <>
      <Form className="search-test" role="search" isReady={query.trim() !== ''} onSubmit={() => search.run()}>
        <TextField
          label="Test question"
          type="search"
          placeholder="How long does delivery take?"
          value={query}
          onChange={setQuery}
          maxLength={1000}
          isRequired
        />
        <SubmitButton isBusy={search.isBusy} isDisabled={query.trim() === ''}>
          Search
        </SubmitButton>
      </Form>
      <ProblemMessage problem={search.problem} />
      <div aria-live="polite">
        {result ? (
          <SearchResult {...result} />
        ) : (
          <EmptyState icon={<IconSearch size={32} />} title="Test the search">
            See which passages the bot finds for a question, without a model call.
          </EmptyState>
        )}
      </div>
    </>
  );
}

function SearchResult({ items, nearest = [], relevance_line: line = 0 }: KnowledgeSearch) {
  if (items.length > 0) return <PassageList label="Passages" hits={items} />;
  if (nearest.length === 0)
    return (
      <EmptyState icon={<IconSearch size={32} />} title="No relevant passages">
        No passage contains the words of this question.
      </EmptyState>
    );
  return (
    <section className="near-passages">
      <h2>No relevant passages</h2>
      <p className="hint">
        The passages below come closest. The bot only uses passages with a relevance of {line.toFixed(2)} or
        more.
      </p>
      <PassageList label="Nearest passages" hits={nearest} line={line} />
    </section>
  );
}
