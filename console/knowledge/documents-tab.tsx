import { Button } from '@mantine/core';
import { path } from '../client/paths.ts';
import type { DocumentRead } from '../client/types.ts';
import { usePages } from '../state/use-pages.ts';
import { useRoute } from '../state/use-route.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { SelectField } from '../components/fields.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { AddSource } from './add-source.tsx';
import { DocumentTable } from './document-table.tsx';
import { Uploads } from './uploads.tsx';
import { VectorProgressLine } from './vector-progress-line.tsx';

const statuses = [
  ['', 'Any status'],
  ['pending', 'Pending'],
  ['processing', 'Processing'],
  ['indexed', 'Indexed'],
  ['failed', 'Failed'],
] as const;

export function DocumentsTab({ botId }: { botId: string }) {
  const { client } = useSession();
  const { query: filters } = useRoute();
  const url = path`/api/bots/${botId}/knowledge`;
  const mayWrite = usePermission()('knowledge:write', 'member');
  // Request only documents without a parent, unless the list is filtered: the pages of a website are listed
  // below it.
  const query = filters['status'] ? filters : { ...filters, parent_id: 'none' };
  const pages = usePages<DocumentRead>(client, url, query);
  return (
    <>
      {mayWrite && (
        <div className="columns">
          <Uploads url={`${url}/upload`} onUploaded={pages.reload} />
          <AddSource url={url} onAdded={pages.reload} />
        </div>
      )}
      <div className="filters">
        <SelectField
          label="Status"
          value={filters['status'] ?? ''}
          options={statuses}
          onChange={(status) => goTo(buildHref(['bots', botId, 'documents'], { ...filters, status }))}
        />
        <Button variant="default" onClick={pages.reload}>
          Refresh
        </Button>
      </div>
      <VectorProgressLine url={url} />
      <LoadedView loaded={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="empty">
              {Object.keys(filters).length === 0
                ? `There are no documents yet.${mayWrite ? ' Upload files, or add a text, a page or a site.' : ''}`
                : 'No document fits these filters.'}
            </p>
          ) : (
            <DocumentTable
              url={url}
              documents={items}
              onChange={pages.replace}
              onDeleted={pages.reload}
              onPagesChanged={pages.reload}
            />
          )
        }
      </LoadedView>
      <MoreButton pages={pages} noun="document" />
    </>
  );
}
