import { Button, FileButton, Text } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Bot } from '../../client/types.ts';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { useAction } from '../../state/use-action.ts';
import { BotAvatar } from '../bot-avatar.tsx';

export interface AvatarUploadProps {
  bot: Bot;
  onChange(bot: Bot): void;
}

/** Avatar of the bot, with a button that uploads another avatar. */
export function AvatarUpload({ bot, onChange }: AvatarUploadProps) {
  const { client } = useSession();
  const mayWrite = usePermission()('bots:write', 'member');
  const [sent, setSent] = useState(0);
  const upload = useAction(async (file: File) => {
    setSent(0);
    onChange(await client.upload<Bot>(path`/api/bots/${bot.id}/theme/avatar`, file, setSent));
    showConfirmation('Avatar updated');
  });
  return (
    <div className="avatar-upload">
      <BotAvatar bot={bot} size={56} />
      {mayWrite && (
        <div>
          <FileButton
            accept="image/png,image/webp,image/jpeg"
            inputProps={{ 'aria-label': 'Avatar image' }}
            onChange={(file) => {
              if (file) upload.run(file);
            }}
          >
            {(props) => (
              <Button {...props} variant="default" size="xs" aria-disabled={upload.isBusy}>
                {upload.isBusy ? `Uploading… ${Math.round(sent * 100)}%` : 'Upload avatar'}
              </Button>
            )}
          </FileButton>
          <Text size="xs" c="dimmed" mt={4}>
            PNG, WebP or JPEG up to 2 MB
          </Text>
        </div>
      )}
      <ProblemMessage problem={upload.problem} labels={{ file: 'The file' }} />
    </div>
  );
}
