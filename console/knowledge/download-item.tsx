import { Menu } from '@mantine/core';
import { toLocalPath } from '../client/paths.ts';
import type { DocumentDownload, KnowledgeDocument } from '../client/types.ts';
import { showError } from '../components/page/notices.ts';
import { followLink } from '../components/save-file.ts';
import { useSession } from '../session/session.tsx';
import { IconDownload } from './icons.ts';
import { useAction } from '../state/use-action.ts';

/** Whether the user can download the original file of a document. */
export function isDownloadable({ size_bytes: size, source_type: type }: KnowledgeDocument): boolean {
  return size > 0 && type !== 'sitemap';
}

/** Menu item that downloads the original file of a document. */
export function DownloadItem({ url }: { url: string }) {
  const { client } = useSession();
  const download = useAction(
    async () => {
      const { url: link, filename } = await client.get<DocumentDownload>(`${url}/download`);
      followLink(toLocalPath(link, '/api/files/') ?? link, filename);
    },
    ({ message }) => showError(message),
  );
  return (
    <Menu.Item leftSection={<IconDownload />} onClick={() => download.run()}>
      Download original
    </Menu.Item>
  );
}
