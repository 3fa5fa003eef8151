import { path } from '../../client/paths.ts';
import type { BotRead, BotUpdate } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { SafeLink } from '../../components/safe-link.tsx';
import { Section } from '../../components/section.tsx';

type Directory = NonNullable<BotUpdate['directory_config']>;
type ContactField = NonNullable<BotUpdate['contact_fields_config']>[number];

const MAX_SHOWN = 10;

export interface OtherSettingsProps {
  bot: BotRead;
  onChange(bot: BotRead): void;
}

/** Lists generated settings for which the form has no fields, with buttons to remove them. */
export function OtherSettings({ bot, onChange }: OtherSettingsProps) {
  const directory = bot.directory_config as Directory | null;
  const entries = directory?.entries ?? [];
  const fields = bot.contact_fields_config as ContactField[];
  return (
    <>
      {directory && (
        <Section title="Directory">
          <p className="hint">People and places that the website names with pages of their own.</p>
          <ul className="plain-list">
            {entries.slice(0, MAX_SHOWN).map(({ name, category, link }) => (
              <li key={`${category} ${name}`}>
                {name}
                {category && <span className="hint"> {category}</span>}
                {link && (
                  <p>
                    <SafeLink href={link}>{link}</SafeLink>
                  </p>
                )}
              </li>
            ))}
          </ul>
          {entries.length > MAX_SHOWN && <p className="hint">And {entries.length - MAX_SHOWN} more.</p>}
          <RemoveSetting
            bot={bot}
            about="the directory"
            changes={{ directory_config: null }}
            onChange={onChange}
          />
        </Section>
      )}
      {fields.length > 0 && (
        <Section title="Noted from conversations">
          <p>{fields.map(({ label }) => label).join(', ')}</p>
          <RemoveSetting
            bot={bot}
            about="what is noted"
            changes={{ contact_fields_config: [] }}
            onChange={onChange}
          />
        </Section>
      )}
    </>
  );
}

interface RemoveSettingProps extends OtherSettingsProps {
  about: string;
  changes: BotUpdate;
}

function RemoveSetting({ bot, about, changes, onChange }: RemoveSettingProps) {
  const { client } = useSession();
  if (!usePermission()('bots:write', 'member')) return null;
  const removeSetting = async (): Promise<void> => {
    onChange(await client.patch<BotRead>(path`/api/bots/${bot.id}`, changes));
    showConfirmation('It is left out.');
  };
  return (
    <ActionButton about={about} onAction={removeSetting}>
      Leave out
    </ActionButton>
  );
}
