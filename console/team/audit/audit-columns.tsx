import { Menu } from '@mantine/core';
import type { AuditEvent } from '../../client/types.ts';
import type { DataColumn } from '../../components/lists/data-table.tsx';
import { PersonAvatar } from '../../components/person-avatar.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { buildHref } from '../../router.ts';
import { IconFilter, IconList } from '../../shell/icons.ts';
import { describeEvent, nameResource, nameUnknown } from './audit-words.ts';
import type { Resource } from './use-resources.ts';

/**
 * Creates the columns of the audit log's table. Each event is a sentence with a link to the changed object.
 */
export function createAuditColumns(
  filters: Record<string, string>,
  findResource: (event: AuditEvent) => Resource,
  onOpen: (event: AuditEvent) => void,
): DataColumn<AuditEvent>[] {
  const filterBy = (changed: Record<string, string>) =>
    buildHref(['team', 'audit'], { ...filters, ...changed });
  return [
    {
      name: 'Event',
      render: (event) => <Sentence event={event} resource={findResource(event)} />,
    },
    { name: 'Resource', render: ({ resource_type: type }) => nameResource(type) },
    { name: 'IP address', render: ({ ip }) => ip },
    { name: 'Time', render: ({ created_at: at }) => <RelativeTime at={at} /> },
    {
      name: 'Actions',
      kind: 'actions',
      render: (event) => (
        <RowMenu about={`${event.operation} by ${event.user_name ?? 'a deleted account'}`}>
          <Menu.Item leftSection={<IconList />} onClick={() => onOpen(event)}>
            View details
          </Menu.Item>
          <Menu.Item component="a" href={filterBy({ user_id: event.user_id })} leftSection={<IconFilter />}>
            Only this person
          </Menu.Item>
          {event.resource_id !== null && (
            <Menu.Item
              component="a"
              href={filterBy({ resource_id: event.resource_id })}
              leftSection={<IconFilter />}
            >
              Only this object
            </Menu.Item>
          )}
        </RowMenu>
      ),
    },
  ];
}

function Sentence({ event, resource: { name, href } }: { event: AuditEvent; resource: Resource }) {
  const [before = '', after] = describeEvent(event).split('{it}');
  const object = name ?? nameUnknown(event.resource_type);
  const title = event.resource_id ?? undefined;
  return (
    <span className="person-cell">
      <PersonAvatar name={event.user_name} size={26} />
      <span className="audit-sentence">
        <strong title={event.user_email ?? undefined}>{event.user_name ?? 'Deleted account'}</strong> {before}
        {after !== undefined && (
          <>
            {href === undefined ? (
              <span title={title}>{object}</span>
            ) : (
              <a href={href} title={title}>
                {object}
              </a>
            )}
            {after}
          </>
        )}
        {event.key_id !== null && (
          <span className="cell-note">with the API key {event.key_name ?? '(deleted)'}</span>
        )}
      </span>
    </span>
  );
}
