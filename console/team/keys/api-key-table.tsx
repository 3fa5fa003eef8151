import { Menu, Tooltip } from '@mantine/core';
import type { ApiKey, Member } from '../../client/types.ts';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { buildHref } from '../../router.ts';
import { IconList, IconRefresh, IconTrash } from '../../shell/icons.ts';
import { describeScopes } from './scopes.ts';

/** A change of an API key for which the console opens a dialog. */
export type KeyStep = { kind: 'create' } | { kind: 'rotate' | 'revoke'; apiKey: ApiKey };

export interface ApiKeyTableProps {
  keys: readonly ApiKey[];
  members: readonly Member[];
  onStep(step: KeyStep): void;
}

export function ApiKeyTable({ keys, members, onStep }: ApiKeyTableProps) {
  const getMemberName = (userId: string) => members.find(({ user_id: id }) => id === userId)?.full_name;
  const columns: DataColumn<ApiKey>[] = [
    {
      name: 'Key',
      sortBy: ({ name }) => name.toLocaleLowerCase(),
      render: ({ name, prefix, last_four: end, api_version: version }) => (
        <>
          <strong>{name}</strong>
          <span className="cell-note">
            <code>{`${prefix}…${end}`}</code>
            {version !== null && ` · API version ${version}`}
          </span>
        </>
      ),
    },
    {
      name: 'Scopes',
      sortBy: ({ scopes }) => scopes.length,
      render: ({ scopes }) => (
        <Tooltip label={scopes.join(', ')} multiline maw={360}>
          <span>
            {formatCount(scopes.length, 'scope')}
            {describeScopes(scopes).map((line) => (
              <span key={line} className="cell-note cell-cut">
                {line}
              </span>
            ))}
          </span>
        </Tooltip>
      ),
    },
    {
      name: 'Created',
      sortBy: ({ created_at: at }) => at,
      render: ({ created_at: at, created_by_id: id }) => (
        <>
          <RelativeTime at={at} />
          <span className="cell-note">by {getMemberName(id) ?? 'a former member'}</span>
        </>
      ),
    },
    {
      name: 'Last used',
      sortBy: ({ last_used_at: at }) => at ?? '',
      render: ({ last_used_at: at }) => (at === null ? 'Never' : <RelativeTime at={at} />),
    },
    {
      name: 'Expires',
      sortBy: ({ expires_at: at }) => at ?? '9999',
      render: ({ expires_at: at }) => (at === null ? 'Never' : <RelativeTime at={at} />),
    },
    {
      name: 'Actions',
      kind: 'actions',
      render: (apiKey) => (
        <RowMenu about={apiKey.name}>
          <Menu.Item
            component="a"
            href={buildHref(['team', 'requests'], { api_key_id: apiKey.id })}
            leftSection={<IconList />}
          >
            View requests
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh />} onClick={() => onStep({ kind: 'rotate', apiKey })}>
            Rotate
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            className="danger-item"
            leftSection={<IconTrash />}
            onClick={() => onStep({ kind: 'revoke', apiKey })}
          >
            Revoke
          </Menu.Item>
        </RowMenu>
      ),
    },
  ];
  return <DataTable label="API keys" rows={keys} columns={columns} />;
}
