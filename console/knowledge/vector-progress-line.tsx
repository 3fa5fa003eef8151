import { withQuery } from '../client/paths.ts';
import type { DocumentPage } from '../client/types.ts';
import { useInterval } from '../state/use-interval.ts';
import { useLoad } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';
import { formatCount } from '../components/format-count.ts';

const EVERY_MS = 3000;

/**
 * Shows how many of a bot's documents have embeddings. Renders nothing without an embedding model.
 * @param url URL of the bot's documents
 */
export function VectorProgressLine({ url }: { url: string }) {
  const { client } = useSession();
  const { data, reload } = useLoad(
    (signal) => client.get<DocumentPage>(withQuery(url, { page_size: '1' }), signal),
    [client, url],
  );
  const vectors = data?.vectors;
  const isWhole = !vectors || vectors.embedded + vectors.failing >= vectors.documents;
  // Poll less often when all documents have embeddings, to notice documents that are added later.
  useInterval(reload, vectors ? EVERY_MS * (isWhole ? 5 : 1) : null);
  if (!vectors || vectors.documents === 0) return null;
  const { model, documents, embedded, failing } = vectors;
  return (
    <p className="hint" role="status">
      {isWhole && failing === 0
        ? `Found by meaning as well as by words: all ${formatCount(documents, 'document')} by ${model}.`
        : `Found by words already, and by meaning so far: ${embedded} of ${formatCount(documents, 'document')}, by ${model}.`}
      {failing > 0 &&
        ` ${formatCount(failing, 'document')} with passages that the model does not take; they are tried again.`}
      {!isWhole && <progress aria-label="Vectors" max={documents} value={embedded} />}
    </p>
  );
}
