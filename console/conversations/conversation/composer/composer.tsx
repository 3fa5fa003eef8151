import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { ConversationDetail, InboxItem } from '../../../client/types.ts';
import { ActionButton } from '../../../components/dialogs/action-button.tsx';
import { useSession } from '../../../session/session.tsx';
import { usePermission } from '../../../session/use-permission.ts';
import { useStore } from '../../../state/use-store.ts';
import { NoteForm } from './note-form.tsx';
import type { SendReply } from './outgoing-replies.ts';
import { ReplyForm } from './reply-form.tsx';
import type { ConversationSteps } from '../use-conversation-steps.ts';

export interface ComposerProps {
  id: string;
  botId: string;
  status: ConversationDetail['status'];
  item: InboxItem | undefined;
  steps: ConversationSteps;
  send: SendReply;
}

/** Forms for replies to the visitor, and for notes that only the team sees. */
export function Composer(props: ComposerProps) {
  const may = usePermission();
  const mayReply = may('inbox:write', 'member');
  const mayNote = may('conversations:write', 'member');
  const [chosen, setTab] = useState<string | null>(null);
  const tab = chosen ?? (mayReply ? 'reply' : 'note');
  if (!mayReply && !mayNote) return <p className="composer-closed">You have view-only access.</p>;
  return (
    <Tabs value={tab} onChange={setTab} className="composer" data-mode={tab} keepMounted={false}>
      <Tabs.List>
        {mayReply && (
          <Tabs.Tab value="reply" aria-keyshortcuts={tab === 'reply' ? undefined : 'r'}>
            Reply
          </Tabs.Tab>
        )}
        {mayNote && (
          <Tabs.Tab value="note" aria-keyshortcuts={tab === 'note' ? undefined : 'n'}>
            Note
          </Tabs.Tab>
        )}
      </Tabs.List>
      <Tabs.Panel value="reply">
        <ReplyPanel {...props} isFocused={chosen === 'reply'} />
      </Tabs.Panel>
      <Tabs.Panel value="note">
        <NoteForm id={props.id} isFocused={chosen === 'note'} />
      </Tabs.Panel>
    </Tabs>
  );
}

function ReplyPanel({
  id,
  botId,
  status,
  item,
  steps,
  send,
  isFocused,
}: ComposerProps & { isFocused: boolean }) {
  const { memberId } = useStore(useSession().feed.state);
  if (status === 'ended')
    return <p className="composer-closed">This conversation is closed. Reopen it to reply.</p>;
  if (status === 'active')
    return <p className="composer-closed">The bot is handling this conversation. Take over to reply.</p>;
  if (status === 'human' && item?.assigned_to_id !== memberId) {
    const assignee = item?.assigned_to_name ?? 'A teammate';
    return (
      <ReplyForm id={id} item={item} send={send} isDisabled>
        <div className="composer-closed">
          <span>{assignee} is handling this conversation.</span>
          <ActionButton
            size="xs"
            about={`the conversation from ${assignee}`}
            shortcut="a"
            onAction={steps.takeOver}
          >
            Take over
          </ActionButton>
        </div>
      </ReplyForm>
    );
  }
  return <ReplyForm id={id} botId={botId} item={item} send={send} isFocused={isFocused} />;
}
