import type { BotRead } from '../client/types.ts';
import { usePermission } from '../session/use-permission.ts';
import { AvatarUpload } from './avatar-upload.tsx';
import { BotForm } from './bot-form.tsx';
import { BotLifeCycle } from './bot-life-cycle.tsx';
import { useBotForm } from './use-bot-form.ts';

export interface SettingsTabProps {
  bot: BotRead;
  onChange(bot: BotRead): void;
}

export function SettingsTab({ bot, onChange }: SettingsTabProps) {
  const mayWrite = usePermission()('bots:write', 'member');
  const form = useBotForm(bot, onChange);
  return (
    <div className="columns">
      <BotForm bot={bot} form={form} isReadOnly={!mayWrite} />
      <div className="stack">
        <BotLifeCycle bot={bot} onChange={onChange} />
        {mayWrite && <AvatarUpload bot={bot} onChange={onChange} />}
      </div>
    </div>
  );
}
