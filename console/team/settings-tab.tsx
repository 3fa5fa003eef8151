import { useState } from 'preact/hooks';
import { SubmitButton } from '../accounts/submit-button.tsx';
import type { Org } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { tell } from '../ui/notices.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { Section } from '../ui/section.tsx';
import type { Team } from './team.ts';

/** What the workspace is called, and what holds for all of it. */
export function SettingsTab({ team }: { team: Team }) {
  const { client } = useSession();
  const org = useLoad((signal) => client.get<Org>(team.url, signal), [client, team.url]);
  return <LoadedView of={org}>{(present) => <SettingsForm url={team.url} org={present} />}</LoadedView>;
}

function SettingsForm({ url, org }: { url: string; org: Org }) {
  const { client } = useSession();
  const [name, setName] = useState(org.name);
  const [language, setLanguage] = useState(org.settings?.default_language ?? '');
  const [zone, setZone] = useState(org.settings?.time_zone ?? '');
  const save = useAction(async () => {
    const settings = { default_language: language.trim() || null, time_zone: zone.trim() || null };
    await client.patch(url, { name: name.trim(), settings });
    tell('Saved.');
  });
  return (
    <Section title="The workspace">
      <Form class="stack" onSubmit={() => save.run()}>
        <TextField
          label="Name of the workspace"
          value={name}
          onChange={setName}
          problem={problemAt(save.problem, 'name', 'The name')}
          minLength={2}
          maxLength={255}
          isRequired
        />
        <TextField
          label="Language of new bots"
          hint="A language tag such as de, or empty for the visitor’s."
          value={language}
          onChange={setLanguage}
          problem={problemAt(save.problem, 'settings.default_language', 'The language')}
          maxLength={16}
        />
        <TextField
          label="Time zone"
          hint="Of the times in mails and text transcripts, such as Europe/Lisbon; empty for UTC."
          value={zone}
          onChange={setZone}
          problem={problemAt(save.problem, 'settings.time_zone', 'The time zone')}
          maxLength={64}
        />
        <ProblemMessage
          problem={save.problem}
          toldBy={['name', 'settings.default_language', 'settings.time_zone']}
        />
        <SubmitButton isBusy={save.isBusy}>Save</SubmitButton>
      </Form>
    </Section>
  );
}
