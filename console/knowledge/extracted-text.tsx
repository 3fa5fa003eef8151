import { Title } from '@mantine/core';
import { toLocalPath } from '../client/paths.ts';
import type { DocumentDownload, KnowledgeDocument } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { useLoaded } from '../state/use-loaded.ts';
import { isDownloadable } from './download-item.tsx';

const MAX_BYTES = 500_000;
const MAX_CHARACTERS = 20_000;

/** Shows the text of a document whose original is plain text or Markdown. */
export function ExtractedText({ url, document }: { url: string; document: KnowledgeDocument }) {
  const { client } = useSession();
  const isText =
    isDownloadable(document) &&
    document.size_bytes <= MAX_BYTES &&
    (document.source_type === 'raw_text' || /^text\/(plain|markdown)/.test(document.mime_type ?? ''));
  const { data: text } = useLoaded(
    [url, 'text', document.updated_at],
    async (signal) => {
      const { url: link } = await client.get<DocumentDownload>(`${url}/download`, signal);
      const file = await client.file(toLocalPath(link, '/api/files/') ?? link);
      return file.text();
    },
    { isEnabled: isText },
  );
  if (text === undefined) return null;
  return (
    <section className="detail-stack">
      <Title order={3}>Text</Title>
      <pre className="code-block" tabIndex={0} dir="auto">
        {text.slice(0, MAX_CHARACTERS)}
        {text.length > MAX_CHARACTERS && '…'}
      </pre>
    </section>
  );
}
