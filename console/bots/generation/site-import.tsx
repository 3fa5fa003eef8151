import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { KnowledgeDocument, DocumentStatus, Page } from '../../client/types.ts';
import { useInterval } from '../../state/use-interval.ts';
import { useReload } from '../../state/use-reload.ts';
import { useApi } from '../../state/use-api.ts';
import { CrawlFacts } from '../../knowledge/crawl-facts.tsx';
import { isFinal } from '../../knowledge/use-progress.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { SafeLink } from '../../components/text/safe-link.tsx';
import { Status } from '../../components/lists/status.tsx';
import { documentWords } from '../../knowledge/document-words.ts';

export interface SiteImportProps {
  botId: string;
  /** Suggested topics for the generated bot's documents. */
  topics: readonly string[];
}

const EVERY_MS = 1500;

/** Shows the documents of a generated bot: the progress of its website's import, or topics to write about. */
export function SiteImport({ botId, topics }: SiteImportProps) {
  const reload = useReload();
  const botUrl = path`/api/bots/${botId}`;
  const url = `${botUrl}/knowledge`;
  const documents = useApi<Page<KnowledgeDocument>>(`${url}?parent_id=none&page_size=20`, {
    reloadsOnVisit: true,
  });
  const mayRead = usePermission()('knowledge:read', 'viewer');
  if (!mayRead) return null;
  return (
    <div className="site-import">
      <strong>Knowledge</strong>
      <LoadedView loaded={documents}>
        {({ items }) => (
          <>
            {items.length === 0 && (
              <p className="hint">No documents yet. The bot answers from its prompt only.</p>
            )}
            {items.map((document) => (
              <ImportedSite
                key={document.id}
                url={`${url}/${document.id}`}
                document={document}
                // Reload the bot as well, since it contains the count of passages.
                onChange={() => void reload(botUrl)}
              />
            ))}
          </>
        )}
      </LoadedView>
      {topics.length > 0 && <p className="hint">Suggested topics: {topics.join(', ')}.</p>}
      {documents.data?.items.length !== 0 && (
        <Anchor href={buildHref(['bots', botId, 'knowledge'])}>View all documents</Anchor>
      )}
    </div>
  );
}

interface ImportedSiteProps {
  url: string;
  document: KnowledgeDocument;
  onChange(): void;
}

function ImportedSite({ url, document, onChange }: ImportedSiteProps) {
  const { client } = useSession();
  const [progress, setProgress] = useState<DocumentStatus['progress']>(null);
  const poll = async (): Promise<void> => {
    const state = await client.get<DocumentStatus>(`${url}/status`);
    setProgress(state.progress);
    if (isFinal(state)) onChange();
  };
  // Ignore errors of a poll: the next poll tries again.
  useInterval(() => void poll().catch(() => undefined), isFinal(document) ? null : EVERY_MS);
  return (
    <div>
      <p className="imported">
        <SafeLink href={document.source_url}>{document.source_url ?? document.title}</SafeLink>
        <Status tone={documentWords[document.status][0]}>{documentWords[document.status][1]}</Status>
      </p>
      <CrawlFacts document={document} progress={isFinal(document) ? null : progress} />
      {document.status === 'failed' && <p className="field-problem">{document.error_message}</p>}
    </div>
  );
}
