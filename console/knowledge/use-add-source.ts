import type { KnowledgeDocument } from '../client/types.ts';
import { showConfirmation } from '../components/page/notices.ts';
import { useSession } from '../session/session.tsx';
import { useAction, type Action } from '../state/use-action.ts';
import { sourceNames } from './document-words.ts';

export interface SourceFormProps {
  /** URL of the bot's documents in the API. */
  url: string;
  onAdded(): void;
  /** Called after the source of documents was added, to close the form. */
  onDone(): void;
}

/** Adds a source to the bot's documents. If the bot already has the source, the API indexes it again. */
export function useAddSource(
  { url, onAdded, onDone }: SourceFormProps,
  onSaved: () => void,
): Action<[source: { source_type: KnowledgeDocument['source_type'] } & Record<string, unknown>]> {
  const { client } = useSession();
  return useAction(async (source) => {
    const { created_at: createdAt, updated_at: changedAt } = await client.post<KnowledgeDocument>(
      url,
      source,
    );
    const known = `This ${sourceNames[source.source_type].toLowerCase()} already exists. Re-syncing…`;
    showConfirmation(createdAt === changedAt ? 'Added. Indexing…' : known);
    onSaved();
    onAdded();
    onDone();
  });
}
