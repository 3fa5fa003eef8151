import { Menu, UnstyledButton } from '@mantine/core';
import type { InboxItem } from '../../client/types.ts';
import { showError } from '../../components/page/notices.ts';
import { PersonAvatar } from '../../components/person-avatar.tsx';
import { useSession } from '../../session/session.tsx';
import { IconChevron, IconMark } from '../../shell/icons.ts';
import { useAction } from '../../state/use-action.ts';
import { useStore } from '../../state/use-store.ts';
import type { ConversationSteps } from './use-conversation-steps.ts';
import { useColleagues } from './use-colleagues.ts';

/** Value of the menu item that removes the assignee, so that any member can take the conversation. */
const UNASSIGNED = '';

export interface AssigneeMenuProps {
  item: InboxItem;
  assign: ConversationSteps['assign'];
}

/** Menu that assigns the conversation to a member of the team, or to no one. */
export function AssigneeMenu({ item, assign }: AssigneeMenuProps) {
  const { memberId } = useStore(useSession().feed.state);
  const colleagues = useColleagues();
  const change = useAction(assign, ({ message }) => showError(message));
  const { assigned_to_id: assigneeId, assigned_to_name: assigneeName } = item;
  const assignee =
    assigneeId === null ? 'Unassigned' : (colleagues.get(assigneeId) ?? assigneeName ?? 'A teammate');
  const options = [[UNASSIGNED, 'Unassigned'] as const, ...colleagues];
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <UnstyledButton
          className="assignee-button"
          data-free={assigneeId === null || undefined}
          title={assignee}
          aria-busy={change.isBusy}
        >
          <PersonAvatar name={assigneeId === null ? null : assignee} size={22} />
          <span className="assignee-name">
            {assignee}
            <span className="unseen">: change assignee</span>
          </span>
          <IconChevron size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className="filter-options">
        <Menu.Label>Assign to</Menu.Label>
        {options.map(([id, name]) => (
          <Menu.RadioItem
            key={id}
            value={id}
            checked={id === (assigneeId ?? UNASSIGNED)}
            checkIcon={<IconMark size={14} />}
            closeMenuOnClick
            rightSection={<PersonAvatar name={id === UNASSIGNED ? null : name} size={20} />}
            onChange={(chosen) => change.run(chosen === UNASSIGNED ? null : chosen)}
          >
            {id === memberId ? `${name} (you)` : name}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
