import { Drawer, Title } from '@mantine/core';
import { useState } from 'react';
import { PassageList } from '../bots/test/passage-list.tsx';
import type { KnowledgeDocument, KnowledgeSearch } from '../client/types.ts';
import { Facts } from '../components/lists/facts.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { SafeLink } from '../components/text/safe-link.tsx';
import { Status } from '../components/lists/status.tsx';
import { useSession } from '../session/session.tsx';
import { useWorkflowLink } from '../session/use-workflow-link.tsx';
import { usePermission } from '../session/use-permission.ts';
import { useApi } from '../state/use-api.ts';
import { useAction } from '../state/use-action.ts';
import { CrawlFacts, SkippedPages } from './crawl-facts.tsx';
import { documentWords, sourceNames } from './document-words.ts';
import { ExtractedText } from './extracted-text.tsx';
import { formatSize } from './format-size.ts';
import { RefreshField } from './refresh-field.tsx';

export interface DocumentDrawerProps {
  /** URL of the bot's documents in the API. */
  url: string;
  /** Id of the document; undefined while the drawer is closed. */
  id: string | undefined;
  botId: string;
  onChange(document: KnowledgeDocument): void;
  onClose(): void;
}

/** Shows one document: its state, its text, and the passages that match a question. */
export function DocumentDrawer({ id, onClose, ...props }: DocumentDrawerProps) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size={560} title="Document">
      {id !== undefined && <LoadedDocument key={id} id={id} {...props} />}
    </Drawer>
  );
}

type LoadedDocumentProps = Omit<DocumentDrawerProps, 'id' | 'onClose'> & { id: string };

function LoadedDocument({ url, id, onChange }: LoadedDocumentProps) {
  const result = useApi<KnowledgeDocument>(`${url}/${id}`);
  return (
    <LoadedView loaded={result}>
      {(document) => (
        <DocumentDetails
          url={url}
          document={document}
          onChange={(changed) => {
            result.set(changed);
            onChange(changed);
          }}
        />
      )}
    </LoadedView>
  );
}

type DocumentDetailsProps = Pick<DocumentDrawerProps, 'url' | 'onChange'> & { document: KnowledgeDocument };

function DocumentDetails({ url, document, onChange }: DocumentDetailsProps) {
  const mayWrite = usePermission()('knowledge:write', 'member');
  const ownUrl = `${url}/${document.id}`;
  const [tone, name] = documentWords[document.status];
  const workflow = useWorkflowLink('document', document.id);
  return (
    <section className="detail-stack" data-id={document.id}>
      <Title order={3}>
        {document.title} <Status tone={tone}>{name}</Status>
      </Title>
      <Facts
        facts={[
          ['Source', sourceNames[document.source_type]],
          [
            'Link',
            document.source_url && (
              <SafeLink key="link" href={document.source_url}>
                {document.source_url}
              </SafeLink>
            ),
          ],
          ['Pages', document.crawl && <CrawlFacts key="pages" document={document} progress={null} />],
          ['Passages', String(document.chunk_count)],
          ['Size', document.size_bytes === 0 ? null : formatSize(document.size_bytes)],
          ['Encoding', document.encoding],
          ['Added', <RelativeTime key="added" at={document.created_at} />],
          ['Workflows', workflow],
          ['Updated', <RelativeTime key="updated" at={document.updated_at} />],
        ]}
      />
      {document.error_message !== null && !document.crawl?.left_out?.length && (
        <p className="document-remark">{document.error_message}</p>
      )}
      {mayWrite && document.source_url !== null && document.parent_id === null && (
        <RefreshField url={ownUrl} document={document} onChange={onChange} />
      )}
      <SkippedPages document={document} />
      {document.status === 'indexed' && document.chunk_count > 0 && document.source_type !== 'sitemap' && (
        <MatchingPassages url={url} document={document} />
      )}
      <ExtractedText url={ownUrl} document={document} />
    </section>
  );
}

const MAX_FOUND = 50;

/** Finds the passages of a document that match a question. */
function MatchingPassages({ url, document }: { url: string; document: KnowledgeDocument }) {
  const { client } = useSession();
  const [query, setQuery] = useState('');
  const [result, setResult] = useState<KnowledgeSearch | null>(null);
  const search = useAction(async () => {
    setResult(await client.ask<KnowledgeSearch>(`${url}/search`, { query, limit: MAX_FOUND }));
  });
  const hits = result?.items.filter(({ document_id: id }) => id === document.id);
  return (
    <section className="detail-stack">
      <Title order={3}>Passages</Title>
      <Form className="search-test" isReady={query.trim() !== ''} onSubmit={() => search.run()}>
        <TextField
          label="Test question"
          type="search"
          maxLength={1000}
          value={query}
          onChange={setQuery}
          isRequired
        />
        <SubmitButton isBusy={search.isBusy} isDisabled={query.trim() === ''}>
          Search
        </SubmitButton>
      </Form>
      <ProblemMessage problem={search.problem} />
      <div aria-live="polite">
        {hits?.length === 0 && <p className="hint">No relevant passages in this document</p>}
        {hits !== undefined && hits.length > 0 && <PassageList label="Passages" hits={hits} />}
      </div>
    </section>
  );
}
