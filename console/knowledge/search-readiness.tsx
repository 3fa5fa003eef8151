import { Progress, Tooltip } from '@mantine/core';
import { withQuery } from '../client/paths.ts';
import type { DocumentPage } from '../client/types.ts';
import { formatCount } from '../components/text/format-count.ts';
import { Status } from '../components/lists/status.tsx';
import { useApi } from '../state/use-api.ts';

const EVERY_MS = 3000;
const SETTLED_MS = 15_000;

/**
 * Shows how many of a bot's documents have embeddings. Renders nothing without an embedding model.
 * @param url URL of the bot's documents
 */
export function SearchReadiness({ url }: { url: string }) {
  const { data } = useApi<DocumentPage>(withQuery(url, { page_size: 1 }), {
    // Keep polling when all documents have embeddings, but less often, to notice documents that are added later.
    everyMs: (page) => page?.vectors !== undefined && (isComplete(page.vectors) ? SETTLED_MS : EVERY_MS),
  });
  const vectors = data?.vectors;
  if (!vectors || vectors.documents === 0) return null;
  const { model, documents, embedded, failing } = vectors;
  const ready = isComplete(vectors);
  const hint = [
    `${embedded} of ${formatCount(documents, 'document')}`,
    model,
    ...(failing > 0 ? [`${failing} rejected by the model (will be retried)`] : []),
  ].join(' · ');
  return (
    <Tooltip label={hint}>
      <span className="search-readiness" role="status">
        <Status tone={failing > 0 ? 'bad' : ready ? 'good' : 'busy'}>
          {ready ? 'Semantic search ready' : 'Preparing semantic search'}
        </Status>
        {!ready && (
          <Progress size="sm" w={64} aria-label="Semantic search" value={(embedded / documents) * 100} />
        )}
        <span className="unseen">{hint}</span>
      </span>
    </Tooltip>
  );
}

function isComplete({ embedded, failing, documents }: NonNullable<DocumentPage['vectors']>): boolean {
  return embedded + failing >= documents;
}
