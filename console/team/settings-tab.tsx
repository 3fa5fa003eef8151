import { Form, SubmitButton } from '../components/form.tsx';
import { findChangedFields } from '../client/find-changed-fields.ts';
import type { Message, Org } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useFormDraft } from '../state/use-form-draft.ts';
import { useLoad } from '../state/use-load.ts';
import { goTo, buildHref } from '../router.ts';
import { continueElsewhere } from '../session/continue-elsewhere.ts';
import { useSession } from '../session/session.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { TextField } from '../components/fields.tsx';
import { LanguageField } from '../components/language-field.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { showConfirmation } from '../components/notices.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { Section } from '../components/section.tsx';
import { SignInProviders } from './sign-in-providers.tsx';
import type { Team } from './team.ts';
import { loadParent } from './workspaces/load-parent.ts';
import { WorkspaceNameField } from './workspaces/name-field.tsx';

/** Shows the name and the settings of the workspace, and lets admins change them. */
export function SettingsTab({ team }: { team: Team }) {
  const { client } = useSession();
  const org = useLoad((signal) => client.get<Org>(team.url, signal), [client, team.url]);
  return (
    <LoadedView loaded={org}>
      {(present) => (
        <>
          <SettingsForm url={team.url} org={present} onSaved={org.set} />
          <SignInProviders />
          {team.role === 'owner' && team.isSession && <Deletion url={team.url} org={present} />}
        </>
      )}
    </LoadedView>
  );
}

interface SettingsFormProps {
  url: string;
  org: Org;
  onSaved(org: Org): void;
}

function SettingsForm({ url, org, onSaved }: SettingsFormProps) {
  const { client, me } = useSession();
  const { draft, change, markSaved } = useFormDraft(url, {
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
      time_zone: zone.trim() || null,
    });
    const changes = findChangedFields({ name: org.name }, { name: name.trim() });
    onSaved(await client.patch<Org>(url, { ...changes, settings }));
    markSaved(draft);
    me.reload();
    showConfirmation('Saved.');
  });
  return (
    <Section title="The workspace">
      <Form className="stack" onSubmit={() => save.run()}>
        <WorkspaceNameField
          value={name}
          onChange={(changed) => change({ name: changed })}
          problem={save.problem}
        />
        <LanguageField
          label="Language of new bots"
          auto=""
          value={language}
          onChange={(changed) => change({ language: changed })}
        />
        <TextField
          label="Time zone"
          hint="Of the times in mails and text transcripts, such as Europe/Lisbon; empty for UTC."
          value={zone}
          onChange={(changed) => change({ zone: changed })}
          problem={describeFieldProblem(save.problem, 'settings.time_zone', 'The time zone')}
          maxLength={64}
        />
        <ProblemMessage problem={save.problem} inlineFields={['name', 'settings.time_zone']} />
        <SubmitButton isBusy={save.isBusy}>Save</SubmitButton>
      </Form>
    </Section>
  );
}

/** Button that deletes the workspace. Shown to owners who signed in with an account, not to API keys. */
function Deletion({ url, org }: { url: string; org: Org }) {
  const { client } = useSession();
  const { data: above } = useLoad((signal) => loadParent(client, org.id, signal), [client, org.id]);
  const deleteWorkspace = async (): Promise<void> => {
    await client.delete<Message>(url);
    goTo(buildHref(above ? ['team', 'workspaces'] : ['inbox']));
    showConfirmation(`${org.name} is deleted.`);
    await continueElsewhere(above?.id);
  };
  return (
    <Section title="Delete the workspace">
      <p>
        Its bots, documents, conversations and contacts are permanently deleted, and all members lose their
        access at once. Then an account that is in no other workspace can be closed.
      </p>
      <ConfirmButton
        question={`Delete ${org.name}?`}
        consequence={`This cannot be undone. You continue in ${above ? above.name : 'another workspace of yours, where you have one'}.`}
        onConfirm={deleteWorkspace}
      >
        Delete the workspace
      </ConfirmButton>
    </Section>
  );
}

/** Returns the default language of the workspace's bots; empty if bots answer in the visitor's language. */
function readDefaultLanguage({ settings }: Org): string {
  const { default_language: language = '' } = settings ?? {};
  return language === 'auto' ? '' : language;
}
