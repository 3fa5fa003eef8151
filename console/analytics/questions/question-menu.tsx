import { Menu } from '@mantine/core';
import { useState } from 'react';
import { IconTest } from '../../bots/icons.ts';
import { AddToTestSet } from '../../bots/test-sets/add-to-test-set.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';

/** Menu of a visitor's question, which adds it to a test set. */
export function QuestionMenu({ question, botId }: { question: string; botId: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <RowMenu about={question}>
        <Menu.Item leftSection={<IconTest />} onClick={() => setOpen(true)}>
          Add to test set…
        </Menu.Item>
      </RowMenu>
      {isOpen && (
        <Dialog title="Add to test set" onClose={close}>
          <AddToTestSet botId={botId} question={question} onAdded={close} />
        </Dialog>
      )}
    </>
  );
}
