import { useEffect, useRef, useState } from 'react';
import { toApiError, type ApiError } from '../client/api-error.ts';
import type { KnowledgeDocument, DocumentStatus } from '../client/types.ts';
import { useInterval } from '../state/use-interval.ts';
import { useSession } from '../session/session.tsx';

const STATUS_EVERY_MS = 1500;

/** Polls a document until its indexing has ended, and returns the progress of indexing. */
export function useProgress(
  url: string,
  document: KnowledgeDocument,
  isWatched: boolean,
  onChange: (document: KnowledgeDocument) => void,
): { problem: ApiError | null; progress: DocumentStatus['progress'] } {
  const { client } = useSession();
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [progress, setProgress] = useState<DocumentStatus['progress']>(null);
  const latest = useRef(document);
  latest.current = document;
  const poll = async (): Promise<void> => {
    try {
      const { progress: pages, ...state } = await client.get<DocumentStatus>(`${url}/status`);
      const latestDocument = isFinal(state)
        ? await client.get<KnowledgeDocument>(url)
        : { ...document, ...state };
      // Ignore this response if the document has changed since the request: the new data may be more recent.
      if (latest.current !== document) return;
      onChange(latestDocument);
      setProgress(pages);
      setProblem(null);
    } catch (error) {
      setProblem(toApiError(error));
    }
  };
  const isOver = isFinal(document);
  useEffect(() => {
    if (isOver) setProgress(null);
  }, [isOver]);
  useInterval(() => void poll(), isOver || !isWatched ? null : STATUS_EVERY_MS);
  // Hide the progress of a document that is already indexed: its final status may arrive with the list,
  // before the last poll.
  return { problem, progress: isOver ? null : progress };
}

export function isFinal({ status }: Pick<KnowledgeDocument, 'status'>): boolean {
  return status === 'indexed' || status === 'failed';
}
