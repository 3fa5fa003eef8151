import { Group } from '@mantine/core';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { findChangedFields } from '../../client/find-changed-fields.ts';
import type { Confirmation, Org } from '../../client/types.ts';
import { ConfirmButton } from '../../components/dialogs/confirm-button.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import { LanguageField } from '../../components/forms/language-field.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { SettingRow } from '../../components/page/setting-row.tsx';
import { ZoneField } from '../../components/zones/zone-field.tsx';
import { buildHref, goTo } from '../../router.ts';
import { continueElsewhere } from '../../session/continue-elsewhere.ts';
import { useSession } from '../../session/session.tsx';
import { useApi } from '../../state/use-api.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { TeamFrame } from '../team-frame.tsx';
import type { Team } from '../team.ts';
import { useParentWorkspace } from './use-parent-workspace.ts';
import { WorkspaceNameField } from './name-field.tsx';
import { SignInProviders } from './sign-in-providers.tsx';

/** Shows the name and the settings of the workspace, and lets admins change them. */
export function SettingsPage({ team }: { team: Team }) {
  const org = useApi<Org>(team.url);
  return (
    <TeamFrame team={team} tab="settings">
      <LoadedView loaded={org}>
        {(known) => (
          <div className="settings">
            <SettingsForm url={team.url} org={known} onSaved={org.set} />
            <SignInProviders />
            {team.role === 'owner' && team.isSession && <Deletion url={team.url} org={known} />}
          </div>
        )}
      </LoadedView>
    </TeamFrame>
  );
}

interface SettingsFormProps {
  url: string;
  org: Org;
  onSaved(org: Org): void;
}

function SettingsForm({ url, org, onSaved }: SettingsFormProps) {
  const { client, me } = useSession();
  const { draft, isChanged, change, markSaved } = useFormDraft(url, {
    name: org.name,
    language: readDefaultLanguage(org),
    zone: org.settings?.time_zone ?? '',
  });
  const { name, language, zone } = draft;
  const save = useAction(async () => {
    const stored = {
      default_language: readDefaultLanguage(org) || null,
      time_zone: org.settings?.time_zone ?? null,
    };
    const settings = findChangedFields(stored, {
      default_language: language || null,
      time_zone: zone || null,
    });
    const changes = findChangedFields({ name: org.name }, { name: name.trim() });
    onSaved(await client.patch<Org>(url, { ...changes, settings }));
    markSaved(draft);
    me.reload();
    showConfirmation('Changes saved');
  });
  return (
    <Section title="General" description="Name and defaults of this workspace.">
      <Form onSubmit={() => save.run()}>
        <WorkspaceNameField
          value={name}
          onChange={(changed) => change({ name: changed })}
          problem={save.problem}
        />
        <LanguageField
          label="Default language of new bots"
          auto=""
          value={language}
          onChange={(changed) => change({ language: changed })}
        />
        <ZoneField
          label="Time zone"
          hint="Used for emails and transcripts. Defaults to UTC."
          value={zone}
          onChange={(changed) => change({ zone: changed })}
          problem={describeFieldProblem(save.problem, 'settings.time_zone', 'The time zone')}
        />
        <ProblemMessage problem={save.problem} inlineFields={['name', 'settings.time_zone']} />
        <Group>
          <SubmitButton isBusy={save.isBusy} isDisabled={!isChanged}>
            Save changes
          </SubmitButton>
          {isChanged && <p className="hint">Unsaved changes</p>}
        </Group>
      </Form>
    </Section>
  );
}

/** Button that deletes the workspace. Shown to owners who signed in with an account, not to API keys. */
function Deletion({ url, org }: { url: string; org: Org }) {
  const { client } = useSession();
  const parent = useParentWorkspace(org.id);
  const deleteWorkspace = async (): Promise<void> => {
    await client.delete<Confirmation>(url);
    goTo(buildHref(parent ? ['team', 'workspaces'] : []));
    showConfirmation(`${org.name} deleted`);
    await continueElsewhere(parent?.id);
  };
  return (
    <Section title="Danger zone">
      <SettingRow
        title="Delete workspace"
        description="Permanently deletes the workspace and its bots, documents, conversations and contacts. All members lose access immediately."
      >
        <ConfirmButton
          question={`Delete ${org.name}?`}
          consequence={`This can't be undone. You'll be switched to ${parent ? parent.name : 'another of your workspaces'}.`}
          onConfirm={deleteWorkspace}
        >
          Delete workspace
        </ConfirmButton>
      </SettingRow>
    </Section>
  );
}

/** Returns the default language of the workspace's bots; empty if bots answer in the visitor's language. */
function readDefaultLanguage({ settings }: Org): string {
  const { default_language: language = '' } = settings ?? {};
  return language === 'auto' ? '' : language;
}
