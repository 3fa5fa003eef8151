import { Menu } from '@mantine/core';
import { useState } from 'react';
import type { Bot, BotVersion } from '../../client/types.ts';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { ListView } from '../../components/lists/list-view.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { buildHref, goTo } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { IconAudit, IconList, IconRefresh } from '../../shell/icons.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { SaveVersion } from './save-version.tsx';
import { useVersions } from './use-versions.ts';
import { VersionPage } from './version-page.tsx';

export interface VersionsSectionProps {
  bot: Bot;
  /** Number of the bot's version in the URL; undefined for the list. */
  version: string | undefined;
  /** Number of the bot's version to compare with; undefined for the current bot. */
  other: string | undefined;
  /** Called with the changed bot after a version was restored. */
  onRestored(bot: Bot): void;
}

/** Lists the versions of a bot, or compares one version with another. */
export function VersionsSection({ bot, version, other = '', onRestored }: VersionsSectionProps) {
  if (version === undefined) return <VersionList botId={bot.id} onRestored={onRestored} />;
  return (
    <VersionPage
      key={version}
      bot={bot}
      version={Number(version)}
      other={/^[1-9]\d{0,8}$/.test(other) && other !== version ? Number(other) : null}
      onRestored={onRestored}
    />
  );
}

interface VersionListProps {
  botId: string;
  onRestored(bot: Bot): void;
}

function VersionList({ botId, onRestored }: VersionListProps) {
  const mayWrite = usePermission()('bots:write', 'member');
  const versions = useVersions(botId);
  const { reload } = versions;
  return (
    <div className="studio-column wide">
      {mayWrite && <SaveVersion botId={botId} onSaved={reload} />}
      <ListView
        list={versions}
        noun="version"
        empty={
          <EmptyState icon={<IconAudit size={32} />} title="No versions yet">
            Save a version before you change the bot, so that you can restore that version at any time.
          </EmptyState>
        }
      >
        {(shown) => (
          <VersionTable
            botId={botId}
            versions={shown}
            onRestored={(bot) => {
              onRestored(bot);
              reload();
            }}
          />
        )}
      </ListView>
    </div>
  );
}

interface VersionTableProps extends VersionListProps {
  versions: readonly BotVersion[];
}

function VersionTable({ botId, versions, onRestored }: VersionTableProps) {
  const mayWrite = usePermission()('bots:write', 'member');
  const [restored, setRestored] = useState<number | null>(null);
  const toHref = (version: number): string => buildHref(['bots', botId, 'versions', String(version)]);
  const columns: DataColumn<BotVersion & { id: string }>[] = [
    {
      name: 'Version',
      render: ({ version }) => (
        <a className="cell-link" href={toHref(version)}>
          Version {version}
        </a>
      ),
    },
    {
      name: 'Note',
      render: ({ note }) => (
        <span className="version-note" dir="auto" title={note ?? undefined}>
          {note ?? '–'}
        </span>
      ),
    },
    { name: 'By', render: ({ author_name: author }) => author ?? '–' },
    { name: 'Saved', render: ({ created_at: at }) => <RelativeTime at={at} /> },
    {
      name: 'Actions',
      kind: 'actions',
      render: ({ version }) => (
        <RowMenu about={`version ${version}`}>
          <Menu.Item leftSection={<IconList />} onClick={() => goTo(toHref(version))}>
            Compare
          </Menu.Item>
          {mayWrite && (
            <Menu.Item leftSection={<IconRefresh />} onClick={() => setRestored(version)}>
              Restore…
            </Menu.Item>
          )}
        </RowMenu>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label="Versions"
        rows={versions.map((each) => ({ ...each, id: String(each.version) }))}
        columns={columns}
      />
      {restored !== null && (
        <RestoreDialog
          botId={botId}
          version={restored}
          onRestored={onRestored}
          onClose={() => setRestored(null)}
        />
      )}
    </>
  );
}
