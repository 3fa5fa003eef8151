import { Text } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Bot } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useLoaded } from '../../state/use-loaded.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import type { Team } from '../../team/team.ts';
import { loadOtherWorkspaces, type TreeItem } from '../../team/workspaces/tree.ts';
import { CheckboxField, SelectField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';

const SUFFIX = ' (copy)';
const MAX_NAME_LENGTH = 255;

export interface DuplicateFormProps {
  bot: Bot;
  team: Team;
  onDone(): void;
}

/** Form that copies the bot as a draft into the same or another workspace. */
export function DuplicateForm({ bot, team, onDone }: DuplicateFormProps) {
  const { client } = useSession();
  const [name, setName] = useState([...bot.name].slice(0, MAX_NAME_LENGTH - SUFFIX.length).join('') + SUFFIX);
  const [orgId, setOrgId] = useState(team.id);
  const [hasFlows, setHasFlows] = useState(true);
  const others = useOtherWorkspaces(team);
  const duplicate = useAction(async () => {
    const body = { name: name.trim(), org_id: orgId, include_flows: hasFlows };
    const copy = await client.post<Bot>(path`/api/bots/${bot.id}/duplicate`, body);
    onDone();
    if (orgId === team.id) goTo(buildHref(['bots', copy.id]));
    const place = others.find(({ node }) => node.id === orgId)?.node.name;
    showConfirmation(`${copy.name} created as a draft${place === undefined ? '' : ` in ${place}`}`);
  });
  return (
    <Form isReady={name.trim() !== ''} onSubmit={() => duplicate.run()}>
      <Text c="dimmed">
        Copies the settings and the avatar into a draft. Keys, knowledge, conversations, webhooks and versions
        are not copied.
      </Text>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={MAX_NAME_LENGTH}
        isRequired
        isFocused
        problem={describeFieldProblem(duplicate.problem, 'name', 'The name')}
      />
      {others.length > 0 && (
        <SelectField
          label="Workspace"
          value={orgId}
          onChange={setOrgId}
          options={[[team.id, `${team.name} (current)`], ...others.map(toWorkspaceOption)]}
        />
      )}
      <CheckboxField
        label="Copy its flows"
        hint="The copied flows are off until you turn them on."
        isChecked={hasFlows}
        onChange={setHasFlows}
      />
      <ProblemMessage problem={duplicate.problem} inlineFields={['name']} />
      <SubmitOrCancel isBusy={duplicate.isBusy}>Duplicate bot</SubmitOrCancel>
    </Form>
  );
}

/** Returns the other workspaces that the user administers; empty if the user may not list them. */
function useOtherWorkspaces(team: Team): TreeItem[] {
  const { client } = useSession();
  const may = usePermission();
  const isAdmin = may('org:read', 'viewer');
  const { data } = useLoaded(
    ['sibling workspaces', team.id],
    (signal) => loadOtherWorkspaces(team, client, signal),
    { isEnabled: isAdmin },
  );
  return data ?? [];
}

function toWorkspaceOption({ node, level }: TreeItem): readonly [string, string] {
  return [node.id, '\u2003'.repeat(level) + node.name];
}
