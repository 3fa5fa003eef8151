import { Button } from '@mantine/core';
import { useId } from 'react';
import { describeExcess } from '../../client/describe-excess.ts';
import type { ConversationDetail, InboxItem } from '../../client/types.ts';
import { useStore } from '../../state/use-store.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { Form } from '../../components/form.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { useConversationSteps } from './use-conversation-steps.ts';
import { useSendReply } from './use-send-reply.ts';

export interface ReplyFormProps {
  id: string;
  status: ConversationDetail['status'];
  item: InboxItem | undefined;
  onSent(): void;
}

export function ReplyForm({ id, status, item, onSent }: ReplyFormProps) {
  const mayAnswer = usePermission()('inbox:write', 'member');
  const { memberId } = useStore(useSession().feed.state);
  if (!mayAnswer) return <p className="hint">You may read along, but not answer.</p>;
  if (status === 'ended')
    return <p className="hint">The conversation has ended. Reopen it so that it can go on.</p>;
  if (status === 'active')
    return <p className="hint">The bot answers. Take the conversation over to write yourself.</p>;
  if (status === 'human' && item?.assigned_to_id !== memberId)
    return <DisabledReplyForm id={id} item={item} onSent={onSent} />;
  return <OpenReplyForm id={id} item={item} onSent={onSent} />;
}

type OpenProps = Omit<ReplyFormProps, 'status'>;

/** Reply form while a colleague handles the conversation: it shows the draft but cannot send it. */
function DisabledReplyForm({ id, item, onSent }: OpenProps) {
  const { drafts } = useSession();
  const { takeOver } = useConversationSteps(id, onSent);
  const fieldId = useId();
  const text = useStore(drafts.getOrCreate(id).draft);
  const take = useAction(takeOver);
  return (
    <div className="reply">
      <label htmlFor={fieldId}>{getReplyLabel(item)}</label>
      <textarea id={fieldId} rows={3} dir="auto" value={text} disabled aria-describedby={`${fieldId}-hint`} />
      <ProblemMessage problem={take.problem} />
      <div className="row">
        <span id={`${fieldId}-hint`}>{item?.assigned_to_name ?? 'A colleague'} has this conversation.</span>
        <Button
          variant="default"
          aria-disabled={take.isBusy}
          aria-label={`Take over the conversation of ${item?.assigned_to_name ?? 'a colleague'}`}
          onClick={() => take.run()}
        >
          Take over
        </Button>
      </div>
    </div>
  );
}

function OpenReplyForm({ id, item, onSent }: OpenProps) {
  const { drafts } = useSession();
  const fieldId = useId();
  const { draft, outgoing } = drafts.getOrCreate(id);
  const send = useSendReply(id, onSent);
  const text = useStore(draft);
  const excess = describeExcess(text);
  /**
   * Read the text from the store, which is newer than the rendered text if the user presses Enter twice
   * quickly.
   */
  const queueReply = (): void => {
    const written = draft.value;
    if (!isSendable(written)) return;
    draft.set('');
    outgoing.add(written, send);
  };
  return (
    <Form className="reply" onSubmit={queueReply}>
      <label htmlFor={fieldId}>{getReplyLabel(item)}</label>
      <textarea
        id={fieldId}
        rows={3}
        dir="auto"
        value={text}
        aria-describedby={`${fieldId}-hint`}
        onChange={(event) => draft.set(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          queueReply();
        }}
      />
      <div className="row">
        <span className="hint" id={`${fieldId}-hint`}>
          {excess ?? 'Enter sends, Shift+Enter begins a new line.'}
        </span>
        <Button type="submit" aria-disabled={!isSendable(text)}>
          Send
        </Button>
      </div>
    </Form>
  );
}

function isSendable(text: string): boolean {
  return text.trim() !== '' && describeExcess(text) === null;
}

/** Returns the label of the reply form. It says whether a reply to an absent visitor is also mailed. */
function getReplyLabel(item: InboxItem | undefined): string {
  if (!item || item.visitor_present) return 'Reply to the visitor';
  const { contact_email: email } = item;
  return `Reply to the visitor, who has left${email === null ? '' : `: mailed to ${email}`}`;
}
