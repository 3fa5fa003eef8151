import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { ConversationDetail, InboxItem } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { showConfirmation, showError } from '../../components/page/notices.ts';
import { PersonAvatar } from '../../components/person-avatar.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { saveFile } from '../../components/save-file.ts';
import { buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { IconBack, IconBots, IconCopy, IconDetails, IconDownload, IconMark } from '../../shell/icons.ts';
import { useAction } from '../../state/use-action.ts';
import { useStore } from '../../state/use-store.ts';
import { ConversationStatus } from '../conversation-status.tsx';
import { getConversationName, getKnownName } from '../inbox/conversation-name.ts';
import { AssigneeMenu } from './assignee-menu.tsx';
import type { ConversationSteps } from './use-conversation-steps.ts';

export interface ThreadHeaderProps {
  detail: ConversationDetail;
  item: InboxItem | undefined;
  status: ConversationDetail['status'];
  steps: ConversationSteps;
  backHref: string;
  /** Whether the panel about the visitor is open, in a window that is too narrow to always show it. */
  isPanelOpen: boolean;
  onTogglePanel(): void;
}

/** Header of a conversation: the visitor, the status, and the actions that are possible now. */
export function ThreadHeader(props: ThreadHeaderProps) {
  const { detail, item, status, backHref, isPanelOpen, onTogglePanel } = props;
  const name = getConversationName(detail);
  return (
    <header className="thread-header">
      <Tooltip label="Back">
        <ActionIcon
          component="a"
          href={backHref}
          variant="subtle"
          color="gray"
          className="back"
          aria-label="Back"
        >
          <IconBack />
        </ActionIcon>
      </Tooltip>
      <span className="avatar-frame" data-present={item?.visitor_present || undefined}>
        <PersonAvatar name={getKnownName(detail)} size={32} />
      </span>
      <div className="thread-name">
        <h2 dir="auto" title={name}>
          {name}
        </h2>
        <p>
          <ConversationStatus status={status} resolved={detail.resolved} />
          {item !== undefined && (
            <span className="presence">{item.visitor_present ? 'Online' : 'Offline'}</span>
          )}
        </p>
      </div>
      <div className="actions">
        <Actions {...props} />
        <ThreadMenu detail={detail} />
        <Tooltip label="Details">
          <ActionIcon
            variant="subtle"
            color="gray"
            className="panel-toggle"
            aria-label="Details"
            aria-expanded={isPanelOpen}
            onClick={onTogglePanel}
          >
            <IconDetails />
          </ActionIcon>
        </Tooltip>
      </div>
    </header>
  );
}

function Actions({ detail, item, status, steps }: ThreadHeaderProps) {
  const may = usePermission();
  const { memberId } = useStore(useSession().feed.state);
  const isOver = detail.resolved === true || status === 'ended';
  const isWithColleague = status === 'human' && item !== undefined && item.assigned_to_id !== memberId;
  const assignee = isWithColleague ? (item.assigned_to_name ?? 'A teammate') : null;
  const mayReply = may('inbox:write', 'member');
  const isWithTeam = status === 'human' || status === 'waiting_human';
  return (
    <>
      {mayReply && item !== undefined && isWithTeam && <AssigneeMenu item={item} assign={steps.assign} />}
      {mayReply && isWithTeam && <HandBack assignee={assignee} release={steps.release} />}
      {mayReply && status === 'waiting_human' && (
        <ActionButton size="xs" shortcut="a" onAction={steps.claim}>
          Assign to me
        </ActionButton>
      )}
      {mayReply && status === 'active' && (
        <ActionButton size="xs" shortcut="a" onAction={steps.claim}>
          Take over
        </ActionButton>
      )}
      {may('conversations:write', 'member') && (
        <FinishButton
          key={isOver ? 'reopen' : 'resolve'}
          name={isOver ? 'Reopen' : 'Resolve'}
          assignee={assignee}
          onFinish={isOver ? steps.reopen : steps.resolve}
        />
      )}
    </>
  );
}

interface FinishButtonProps {
  name: 'Resolve' | 'Reopen';
  /** Name of the colleague who handles the conversation; null if no colleague handles it. */
  assignee: string | null;
  onFinish(): Promise<void>;
}

/** Button that resolves or reopens a conversation; asks for confirmation if that interrupts a colleague. */
function FinishButton({ name, assignee, onFinish }: FinishButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <ActionButton
        kind={name === 'Resolve' ? 'primary' : 'default'}
        size="xs"
        shortcut="e"
        icon={name === 'Resolve' && <IconMark size={16} />}
        onAction={async () => {
          if (assignee === null) await onFinish();
          else setAsking(true);
        }}
      >
        {name}
      </ActionButton>
      {isAsking && (
        <Interrupt
          question={`${name}?`}
          action={name}
          assignee={assignee ?? ''}
          onConfirm={onFinish}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function HandBack({ assignee, release }: { assignee: string | null; release(): Promise<void> }) {
  const [isAsking, setAsking] = useState(false);
  const { run, isBusy } = useAction(release, ({ message }) => showError(message));
  return (
    <>
      <Tooltip label="Hand back to bot">
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Hand back to bot"
          aria-keyshortcuts="s"
          aria-busy={isBusy}
          onClick={() => (assignee === null ? run() : setAsking(true))}
        >
          <IconBots />
        </ActionIcon>
      </Tooltip>
      {isAsking && (
        <Interrupt
          question="Hand back to bot?"
          action="Hand back"
          assignee={assignee ?? ''}
          onConfirm={release}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface InterruptProps {
  question: string;
  action: string;
  assignee: string;
  onConfirm(): Promise<void>;
  onClose(): void;
}

/** Asks the user to confirm an action that interrupts a colleague who handles the conversation. */
function Interrupt({ assignee, ...props }: InterruptProps) {
  return (
    <ConfirmDialog
      {...props}
      consequence={`${assignee} is handling this conversation and will no longer be able to reply.`}
      isDangerous={false}
    />
  );
}

const formats = [
  ['txt', 'text'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
] as const;

function ThreadMenu({ detail: { id, contact_id: contactId } }: { detail: ConversationDetail }) {
  const { client } = useSession();
  const download = useAction(
    async (format: string) =>
      saveFile(
        await client.file(`${path`/api/conversations/${id}/transcript`}?format=${format}`),
        `conversation-${id}.${format}`,
      ),
    ({ message }) => showError(message),
  );
  const copyLink = async (): Promise<void> => {
    await navigator.clipboard.writeText(new URL(buildHref(['conversations', id]), window.location.href).href);
    showConfirmation('Link copied');
  };
  return (
    <RowMenu about="conversation">
      {contactId !== null && (
        <Menu.Item component="a" href={buildHref(['contacts', contactId])} leftSection={<IconDetails />}>
          View contact
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconCopy />} onClick={() => void copyLink()}>
        Copy link
      </Menu.Item>
      <Menu.Divider />
      {formats.map(([format, name]) => (
        <Menu.Item key={format} leftSection={<IconDownload />} onClick={() => download.run(format)}>
          Download as {name}
        </Menu.Item>
      ))}
    </RowMenu>
  );
}
