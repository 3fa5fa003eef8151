import { Button, Group, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../../client/paths.ts';
import { describeFieldProblem } from '../../../client/describe-problem.ts';
import { Store } from '../../../client/store.ts';
import type { Page, SavedReply } from '../../../client/types.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { TextArea, TextField } from '../../../components/forms/fields.tsx';
import { Form, SubmitButton } from '../../../components/forms/form.tsx';
import { showConfirmation } from '../../../components/page/notices.ts';
import { LoadedView } from '../../../components/lists/loaded-view.tsx';
import { ProblemMessage } from '../../../components/page/problem-message.tsx';
import { RowMenu } from '../../../components/dialogs/row-menu.tsx';
import { useSession } from '../../../session/session.tsx';
import { usePermission } from '../../../session/use-permission.ts';
import { IconEdit, IconPlus, IconTrash } from '../../../shell/icons.ts';
import { useApi } from '../../../state/use-api.ts';
import { useAction } from '../../../state/use-action.ts';
import { useStore } from '../../../state/use-store.ts';
import { useReload } from '../../../state/use-reload.ts';

const URL = '/api/ext/saved-replies';
const LIST_URL = `${URL}?page_size=100`;
const labels = { name: 'Name', text: 'Text' };

/**
 * Whether the dialog with saved replies is open. The dialog is rendered outside of the reply form, because
 * the list of replies in the form is unmounted when the dialog opens.
 */
export const savedRepliesDialog = new Store(false);

type Step = { kind: 'edit' | 'delete'; reply: SavedReply } | { kind: 'create' };

/** Dialog in which the team's saved replies are created, changed and deleted. */
export function SavedRepliesDialog() {
  return useStore(savedRepliesDialog) ? <OpenDialog /> : null;
}

function OpenDialog() {
  const { client } = useSession();
  const reloadUrl = useReload();
  const mayWrite = usePermission()('inbox:write', 'member');
  const replies = useApi<Page<SavedReply>>(LIST_URL);
  const [step, setStep] = useState<Step | null>(null);
  const reload = async (): Promise<void> => {
    await reloadUrl(URL);
    setStep(null);
  };
  const createButton = mayWrite && (
    <Button leftSection={<IconPlus />} onClick={() => setStep({ kind: 'create' })}>
      Create saved reply
    </Button>
  );
  const isForm = step?.kind === 'create' || step?.kind === 'edit';
  return (
    <Dialog title="Saved replies" size="lg" onClose={() => savedRepliesDialog.set(false)}>
      {isForm ? (
        <ReplyEditor
          reply={step.kind === 'edit' ? step.reply : null}
          onSaved={reload}
          onCancel={() => setStep(null)}
        />
      ) : (
        <>
          <Text c="dimmed">Anyone on your team can insert these by typing a slash.</Text>
          <LoadedView loaded={replies}>
            {({ items }) =>
              items.length === 0 ? (
                <Text>No saved replies yet</Text>
              ) : (
                <ul className="saved-replies">
                  {items.map((reply) => (
                    <li key={reply.id}>
                      <strong dir="auto">{reply.name}</strong>
                      <p dir="auto">{reply.text}</p>
                      {mayWrite && (
                        <RowMenu about={reply.name}>
                          <Menu.Item
                            leftSection={<IconEdit />}
                            onClick={() => setStep({ kind: 'edit', reply })}
                          >
                            Edit
                          </Menu.Item>
                          <Menu.Item
                            leftSection={<IconTrash />}
                            className="danger-item"
                            onClick={() => setStep({ kind: 'delete', reply })}
                          >
                            Delete
                          </Menu.Item>
                        </RowMenu>
                      )}
                    </li>
                  ))}
                </ul>
              )
            }
          </LoadedView>
          <Group justify="flex-end">{createButton}</Group>
        </>
      )}
      {step?.kind === 'delete' && (
        <ConfirmDialog
          question={`Delete ${step.reply.name}?`}
          consequence="Your team will no longer be able to insert it. Sent messages aren't affected."
          action="Delete"
          onConfirm={async () => {
            await client.delete(path`/api/ext/saved-replies/${step.reply.id}`);
            await reload();
          }}
          onClose={() => setStep(null)}
        />
      )}
    </Dialog>
  );
}

interface ReplyEditorProps {
  /** Saved reply to change; null to create a saved reply. */
  reply: SavedReply | null;
  onSaved(): Promise<void>;
  onCancel(): void;
}

function ReplyEditor({ reply, onSaved, onCancel }: ReplyEditorProps) {
  const { client } = useSession();
  const [name, setName] = useState(reply?.name ?? '');
  const [text, setText] = useState(reply?.text ?? '');
  const save = useAction(async () => {
    if (reply === null) await client.post(URL, { name, text });
    else await client.patch(path`/api/ext/saved-replies/${reply.id}`, { name, text });
    showConfirmation('Changes saved');
    await onSaved();
  });
  const getProblem = (field: keyof typeof labels) => describeFieldProblem(save.problem, field, labels[field]);
  return (
    <Form onSubmit={() => save.run()}>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={80}
        isRequired
        isFocused
        placeholder="Opening hours"
        problem={getProblem('name')}
      />
      <TextArea
        label="Text"
        value={text}
        onChange={setText}
        rows={5}
        maxLength={4000}
        isRequired
        problem={getProblem('text')}
      />
      <ProblemMessage problem={save.problem} inlineFields={Object.keys(labels)} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton isBusy={save.isBusy}>Save</SubmitButton>
      </Group>
    </Form>
  );
}
