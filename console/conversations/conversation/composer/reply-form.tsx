import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useId, useRef, type ReactNode } from 'react';
import { describeExcess } from '../../../client/describe-excess.ts';
import type { InboxItem } from '../../../client/types.ts';
import { Form } from '../../../components/forms/form.tsx';
import { useSession } from '../../../session/session.tsx';
import { IconSavedReply } from '../../../shell/icons.ts';
import { useStore } from '../../../state/use-store.ts';
import { SavedReplyMenu } from './saved-reply-menu.tsx';
import { SuggestionField, type SuggestionFieldHandle } from './suggestion-field.tsx';
import { useSendReply } from './use-send-reply.ts';

export interface ReplyFormProps {
  id: string;
  item: InboxItem | undefined;
  onSent(): void;
  isFocused?: boolean;
  /** Whether a colleague handles the conversation: the form shows the draft but cannot send it. */
  isDisabled?: boolean;
  /** Content in place of the tools while the form is disabled. */
  children?: ReactNode;
}

/** Form for a reply to the visitor. A slash lists the saved replies. */
export function ReplyForm({
  id,
  item,
  onSent,
  isDisabled = false,
  isFocused = false,
  children,
}: ReplyFormProps) {
  const { drafts } = useSession();
  const hintId = useId();
  const field = useRef<SuggestionFieldHandle>(null);
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
    <Form className="composer-form" onSubmit={queueReply}>
      {item !== undefined && !item.visitor_present && (
        <p className="composer-note">
          Visitor is offline.
          {item.contact_email !== null && ` Your reply will be emailed to ${item.contact_email}.`}
        </p>
      )}
      <SuggestionField
        ref={field}
        label="Reply"
        placeholder="Reply…"
        trigger="/"
        text={text}
        hintId={hintId}
        isDisabled={isDisabled}
        isFocused={isFocused}
        shortcut="r"
        onChange={(next) => draft.set(next)}
        onSubmit={queueReply}
        renderSuggestions={(props) => <SavedReplyMenu {...props} />}
      />
      {isDisabled ? (
        <div id={hintId}>{children}</div>
      ) : (
        <div className="composer-foot">
          <Tooltip label="Saved replies (/)">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Saved replies"
              onClick={() => field.current?.insertTrigger()}
            >
              <IconSavedReply />
            </ActionIcon>
          </Tooltip>
          <span className="composer-hint" data-quiet={excess === null || undefined} id={hintId}>
            {excess ?? 'Enter to send · Shift+Enter for a new line'}
          </span>
          <Button
            type="submit"
            size="xs"
            aria-disabled={!isSendable(text)}
            data-inactive={!isSendable(text) || undefined}
          >
            Send
          </Button>
        </div>
      )}
    </Form>
  );
}

function isSendable(text: string): boolean {
  return text.trim() !== '' && describeExcess(text) === null;
}
