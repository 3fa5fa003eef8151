import { Alert, Text } from '@mantine/core';
import { useBots } from '../../bots/use-bots.ts';
import type { AlertPolicy } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { SelectField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { isCompleteDraft, toAlertRequest } from '../alert-draft.ts';
import { AlertFields, AlertProblem } from '../alert-fields.tsx';
import { channelNames, formatDestination, getPolicyName } from '../alert-words.ts';
import { Estimate } from '../estimate.tsx';
import { StepButtons } from './step-buttons.tsx';
import { withChosenDestination, findReplacedPolicy, type StepProps } from './wizard-draft.ts';

export interface EventsStepProps extends StepProps {
  policies: readonly AlertPolicy[];
  onSaved(policy: AlertPolicy): void;
}

export function EventsStep({ form, policies, onSaved }: EventsStepProps) {
  const { client } = useSession();
  const bots = useBots();
  const { draft, change, discard } = form;
  const chosenDraft = withChosenDestination(draft);
  const replaced = findReplacedPolicy(draft, policies);
  const save = useAction(async () => {
    const policy = await client.put<AlertPolicy>('/api/alerts', toAlertRequest(chosenDraft));
    onSaved(policy);
    discard();
  });
  return (
    <Form isReady={isCompleteDraft(draft)} onSubmit={() => save.run()}>
      <Text>
        {channelNames[draft.channel]}:{' '}
        <strong>{formatDestination(chosenDraft.destination, getConnectedName(draft))}</strong>
      </Text>
      <SelectField
        label="Bot"
        value={draft.botId}
        options={[['', 'All bots'], ...bots.map(({ id, name }) => [id, name] as const)]}
        hint="Alerts for one bot don't include events from webhooks, the calendar or other bots."
        onChange={(botId) => change({ botId })}
      />
      {replaced && (
        <Alert color="yellow" role="status">
          “{getPolicyName(replaced)}” already uses this recipient. Saving replaces its settings.
        </Alert>
      )}
      <AlertFields draft={draft} change={change} problem={save.problem} />
      <Estimate draft={chosenDraft} />
      <AlertProblem problem={save.problem} />
      <StepButtons form={form} back="destination" isBusy={save.isBusy} isReady={isCompleteDraft(draft)}>
        Save alert
      </StepButtons>
    </Form>
  );
}

function getConnectedName({ way, connectedName }: StepProps['form']['draft']): string | null {
  return way === 'link' ? connectedName : null;
}
