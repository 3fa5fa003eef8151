import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Bot } from '../../client/types.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { buildHref, goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { IconCopy, IconDots, IconPower, IconTrash } from '../../shell/icons.ts';
import { toTeam } from '../../team/team.ts';
import { DuplicateForm } from './duplicate-form.tsx';
import { useBotStatus, type BotStatusProps } from './live-switch.tsx';
import { getBotFormKey } from './use-bot-form.ts';

/** Menu with the actions that concern the whole bot, not one section of its settings. */
export function BotMenu({ bot, onChange }: BotStatusProps) {
  const may = usePermission();
  const [opened, open] = useState<'duplicate' | 'delete' | null>(null);
  const setStatus = useBotStatus({ bot, onChange });
  const { me } = useSession();
  const team = me.data ? toTeam(me.data) : null;
  if (!may('bots:write', 'member')) return null;
  const isArchived = bot.status === 'archived';
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {team !== null && (
            <Menu.Item leftSection={<IconCopy />} onClick={() => open('duplicate')}>
              Duplicate…
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconPower />}
            onClick={() => setStatus.run(isArchived ? 'draft' : 'archived')}
          >
            {isArchived ? 'Unarchive' : 'Archive'}
          </Menu.Item>
          {may('bots:write', 'admin') && (
            <Menu.Item color="red" leftSection={<IconTrash />} onClick={() => open('delete')}>
              Delete bot…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {opened === 'duplicate' && team !== null && (
        <Dialog title={`Duplicate ${bot.name}`} size="lg" onClose={() => open(null)}>
          <DuplicateForm bot={bot} team={team} onDone={() => open(null)} />
        </Dialog>
      )}
      {opened === 'delete' && <DeleteBot bot={bot} onClose={() => open(null)} />}
    </>
  );
}

function DeleteBot({ bot, onClose }: { bot: Bot; onClose(): void }) {
  const { client, forms } = useSession();
  return (
    <ConfirmDialog
      question={`Delete ${bot.name}?`}
      consequence="This permanently deletes the bot, its knowledge and its conversations."
      action="Delete bot"
      onConfirm={async () => {
        await client.delete(path`/api/bots/${bot.id}`);
        forms.put(getBotFormKey(bot.id), {});
        goTo(buildHref(['bots']));
        showConfirmation('Bot deleted');
      }}
      onClose={onClose}
    />
  );
}
