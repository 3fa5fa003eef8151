import { ActionIcon, Button, Kbd, Menu, Tooltip } from '@mantine/core';
import { useId, useRef, type ReactNode } from 'react';
import { describeExcess } from '../../../client/describe-excess.ts';
import type { InboxItem } from '../../../client/types.ts';
import { Form } from '../../../components/forms/form.tsx';
import { useSession } from '../../../session/session.tsx';
import { usePermission } from '../../../session/use-permission.ts';
import { IconChevron, IconMark, IconSavedReply } from '../../../shell/icons.ts';
import { useStore } from '../../../state/use-store.ts';
import { AttachButton, FileUploads } from './attach-files.tsx';
import { SavedReplyMenu } from './saved-reply-menu.tsx';
import type { SendReply } from './outgoing-replies.ts';
import { useSendFiles } from './use-send-files.ts';
import { SuggestionField, type SuggestionFieldHandle } from './suggestion-field.tsx';

export interface ReplyFormProps {
  id: string;
  /** Bot whose settings say whether the user may send files; undefined if the user may send none. */
  botId?: string;
  item: InboxItem | undefined;
  send: SendReply;
  isFocused?: boolean;
  /** Whether a colleague handles the conversation: the form shows the draft but cannot send it. */
  isDisabled?: boolean;
  /** Content shown instead of the form's buttons while the form is disabled. */
  children?: ReactNode;
}

/** Form for a reply to the visitor. A slash lists the saved replies. */
export function ReplyForm({
  id,
  botId,
  item,
  send,
  isDisabled = false,
  isFocused = false,
  children,
}: ReplyFormProps) {
  const { drafts } = useSession();
  const mayResolve = usePermission()('conversations:write', 'member');
  const hintId = useId();
  const field = useRef<SuggestionFieldHandle>(null);
  const { draft, outgoing } = drafts.getOrCreate(id);
  const text = useStore(draft);
  const excess = describeExcess(text);
  const files = useSendFiles(id, botId);
  /**
   * Read the reply's text from the store, which is newer than the rendered text if the user presses Enter
   * twice quickly.
   */
  const queueReply = (resolves: boolean): void => {
    const replyText = draft.value;
    if (!isSendable(replyText)) return;
    draft.set('');
    outgoing.add({ text: replyText, resolves }, send);
  };
  return (
    <Form
      className="composer-form"
      onSubmit={() => queueReply(false)}
      {...(files.isPermitted && files.dropHandlers)}
    >
      <FileUploads {...files} />
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
        onSubmit={({ ctrlKey, metaKey }) => queueReply(mayResolve && (ctrlKey || metaKey))}
        renderSuggestions={(props) => <SavedReplyMenu {...props} />}
      />
      {isDisabled ? (
        <div id={hintId}>{children}</div>
      ) : (
        <div className="composer-foot">
          {files.isPermitted && <AttachButton onFiles={files.send} />}
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
          <Button.Group>
            <Button
              type="submit"
              size="xs"
              aria-disabled={!isSendable(text)}
              data-inactive={!isSendable(text) || undefined}
            >
              Send
            </Button>
            {mayResolve && <SendMenu onResolve={() => queueReply(true)} isDisabled={!isSendable(text)} />}
          </Button.Group>
        </div>
      )}
    </Form>
  );
}

/** Menu next to "Send", with actions that also send the reply. */
function SendMenu({ onResolve, isDisabled }: { onResolve(): void; isDisabled: boolean }) {
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button
          size="xs"
          px={6}
          className="send-menu"
          aria-label="Reply options"
          data-inactive={isDisabled || undefined}
        >
          <IconChevron size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={isDisabled}
          leftSection={<IconMark />}
          rightSection={<Kbd size="xs">Ctrl Enter</Kbd>}
          onClick={onResolve}
        >
          Send and resolve
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function isSendable(text: string): boolean {
  return text.trim() !== '' && describeExcess(text) === null;
}
