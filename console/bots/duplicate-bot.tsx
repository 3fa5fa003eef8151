import { useState } from 'preact/hooks';
import { path } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useLoad } from '../hooks/use-load.ts';
import { goTo, hrefOf } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { useMay } from '../session/use-may.ts';
import { teamOf, type Team } from '../team/team.ts';
import { othersOf, type Leaf } from '../team/workspaces/tree.ts';
import { DialogButton } from '../ui/dialog-button.tsx';
import { CheckboxField, SelectField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { tell } from '../ui/notices.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { SubmitOrCancel } from '../ui/submit-or-cancel.tsx';

const SUFFIX = ' (copy)';
const MOST = 255;

/** Copies the bot as a draft, in this or another workspace. */
export function DuplicateBot({ bot }: { bot: BotRead }) {
  const { me } = useSession();
  const team = me.data ? teamOf(me.data) : null;
  if (!useMay()('bots:write', 'member') || team === null) return null;
  return (
    <DialogButton name="Duplicate" title={`A bot like ${bot.name}`}>
      {(close) => <DuplicateForm bot={bot} team={team} onDone={close} />}
    </DialogButton>
  );
}

interface DuplicateFormProps {
  bot: BotRead;
  team: Team;
  onDone(): void;
}

function DuplicateForm({ bot, team, onDone }: DuplicateFormProps) {
  const { client } = useSession();
  const [name, setName] = useState([...bot.name].slice(0, MOST - SUFFIX.length).join('') + SUFFIX);
  const [orgId, setOrgId] = useState(team.id);
  const [hasFlows, setHasFlows] = useState(true);
  const others = useOthers(team);
  const duplicate = useAction(async () => {
    const body = { name: name.trim(), org_id: orgId, include_flows: hasFlows };
    const copy = await client.post<BotRead>(path`/api/bots/${bot.id}/duplicate`, body);
    onDone();
    if (orgId === team.id) goTo(hrefOf(['bots', copy.id]));
    const place = others.find(({ node }) => node.id === orgId)?.node.name;
    tell(`${copy.name} is a draft${place === undefined ? '' : ` in ${place}`}.`);
  });
  return (
    <Form class="stack" isReady={name.trim() !== ''} onSubmit={() => duplicate.run()}>
      <p>
        A draft with the same settings and picture. Keys, documents, conversations, webhooks and versions are
        not copied.
      </p>
      <TextField
        label="Name of the copy"
        value={name}
        onChange={setName}
        maxLength={MOST}
        isRequired
        isFocused
        problem={problemAt(duplicate.problem, 'name', 'The name')}
      />
      {others.length > 0 && (
        <SelectField
          label="Workspace"
          value={orgId}
          onChange={setOrgId}
          options={[[team.id, `${team.name} (this one)`], ...others.map(optionOf)]}
        />
      )}
      <CheckboxField
        label="With its flows, none of them active"
        isChecked={hasFlows}
        onChange={setHasFlows}
      />
      <ProblemMessage problem={duplicate.problem} toldBy={['name']} />
      <SubmitOrCancel isBusy={duplicate.isBusy}>Duplicate</SubmitOrCancel>
    </Form>
  );
}

/** Returns the other workspaces that the user administers; empty if they cannot be listed. */
function useOthers(team: Team): Leaf[] {
  const { client } = useSession();
  const may = useMay();
  const isAdmin = may('org:read', 'viewer');
  const { data } = useLoad(
    async (signal) => (isAdmin ? othersOf(team, client, signal) : []),
    [client, team.id, isAdmin],
  );
  return data ?? [];
}

function optionOf({ node, level }: Leaf): readonly [string, string] {
  return [node.id, '\u2003'.repeat(level) + node.name];
}
