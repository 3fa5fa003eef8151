import { useId, useState } from 'react';
import { path } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useSession } from '../session/session.tsx';
import { showConfirmation } from '../components/notices.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { Avatar } from './avatar.tsx';

export interface AvatarUploadProps {
  bot: BotRead;
  onChange(bot: BotRead): void;
}

export function AvatarUpload({ bot, onChange }: AvatarUploadProps) {
  const { client } = useSession();
  const id = useId();
  const [sent, setSent] = useState(0);
  const upload = useAction(async (file: File) => {
    setSent(0);
    onChange(await client.upload<BotRead>(path`/api/bots/${bot.id}/theme/avatar`, file, setSent));
    showConfirmation('The avatar is in use.');
  });
  return (
    <section className="card stack">
      <h2>Avatar</h2>
      <div className="row">
        <Avatar bot={bot} />
        <label htmlFor={id}>PNG, WebP or JPEG, up to 2 MB</label>
      </div>
      <input
        id={id}
        type="file"
        accept="image/png,image/webp,image/jpeg"
        aria-disabled={upload.isBusy}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) upload.run(file);
          currentTarget.value = '';
        }}
      />
      {upload.isBusy && <progress aria-label="Upload of the avatar" value={sent} />}
      <ProblemMessage problem={upload.problem} labels={{ file: 'The file' }} />
    </section>
  );
}
