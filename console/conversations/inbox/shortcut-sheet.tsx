import { ActionIcon, Kbd, Switch, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { IconKeyboard } from '../../shell/icons.ts';
import { areShortcutsOn, switchShortcuts } from '../../shell/shortcuts.ts';

const groups = [
  [
    'Inbox',
    [
      [['J', '↓'], 'Next conversation'],
      [['K', '↑'], 'Previous conversation'],
      [['Enter'], 'Open conversation'],
      [['/'], 'Search'],
    ],
  ],
  [
    'Conversation',
    [
      [['R'], 'Reply'],
      [['Ctrl Enter', '⌘Enter'], 'Send and resolve'],
      [['N'], 'Write a note'],
      [['Esc'], 'Leave the reply or note field'],
      [['A'], 'Assign to me'],
      [['E'], 'Resolve or reopen'],
      [['S'], 'Hand back to bot'],
    ],
  ],
  [
    'Everywhere',
    [
      [['Ctrl K', '⌘K'], 'Search and commands'],
      [['?'], 'Keyboard shortcuts'],
    ],
  ],
] as const;

/** Button that opens the list of keyboard shortcuts, where the user can also turn shortcuts off. */
export function ShortcutSheet() {
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <>
      <Tooltip label="Keyboard shortcuts (?)">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Keyboard shortcuts"
          aria-keyshortcuts="?"
          onClick={() => setOpen(true)}
        >
          <IconKeyboard />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <Dialog title="Keyboard shortcuts" onClose={() => setOpen(false)}>
          {groups.map(([name, shortcuts]) => (
            <section key={name}>
              <h3 className="sheet-heading">{name}</h3>
              <dl className="shortcut-list">
                {shortcuts.map(([keys, action]) => (
                  <div key={action}>
                    <dt>{action}</dt>
                    <dd>
                      {keys.map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          <Switch
            label="Use single-key shortcuts"
            checked={isOn}
            onChange={({ currentTarget: { checked } }) => {
              switchShortcuts(checked);
              setOn(checked);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
