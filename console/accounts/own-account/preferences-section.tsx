import { SegmentedControl } from '@mantine/core';
import type { Me, Org } from '../../client/types.ts';
import { SelectField } from '../../components/forms/fields.tsx';
import { showConfirmation, showError } from '../../components/page/notices.ts';
import { Section } from '../../components/page/section.tsx';
import { SettingRow } from '../../components/page/setting-row.tsx';
import { ZoneField } from '../../components/zones/zone-field.tsx';
import { useSession } from '../../session/session.tsx';
import { useApi } from '../../state/use-api.ts';
import { useAction } from '../../state/use-action.ts';
import { usePreferences, useTheme } from '../../state/use-preferences.ts';

const themes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Section with the user's preferences for the console. */
export function PreferencesSection() {
  const { theme, setTheme } = useTheme();
  const { preferences, save } = usePreferences();
  return (
    <Section title="Preferences">
      <SettingRow title="Theme" description="“System” uses the theme of your device.">
        <SegmentedControl
          aria-label="Theme"
          value={theme}
          data={themes}
          onChange={(chosen) => setTheme(chosen as typeof theme)}
        />
      </SettingRow>
      <SettingRow
        title="Time zone"
        description="Used for all times in the console. Leave blank to use your device's time zone."
      >
        <ZoneField
          label="Time zone"
          isLabelHidden
          value={preferences?.time_zone ?? ''}
          onChange={(zone) => save({ time_zone: zone || null })}
        />
      </SettingRow>
      <DefaultWorkspace />
    </Section>
  );
}

/** Field with which a user of several workspaces chooses the workspace that opens after signing in. */
function DefaultWorkspace() {
  const { client } = useSession();
  const { data: orgs = [], reload } = useApi<Org[]>('/api/orgs');
  const save = useAction(
    async (orgId: string) => {
      await client.patch<Me>('/api/auth/me', { default_org_id: orgId });
      reload();
      showConfirmation('Default workspace updated');
    },
    ({ message }) => showError(message),
  );
  if (orgs.length < 2) return null;
  const stored = orgs.find(({ is_default }) => is_default)?.id ?? '';
  const unchosen = stored === '' ? [['', 'The first workspace you joined'] as const] : [];
  return (
    <SettingRow title="Default workspace" description="This workspace opens when you sign in.">
      <SelectField
        label="Default workspace"
        isLabelHidden
        value={stored}
        onChange={(orgId) => save.run(orgId)}
        options={[...unchosen, ...orgs.map(({ id, name }) => [id, name] as const)]}
      />
    </SettingRow>
  );
}
