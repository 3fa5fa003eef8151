import { useBots } from '../../bots/use-bots.ts';
import type { AlertPolicy } from '../../client/types.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { isComplete, requestOf } from '../alert-draft.ts';
import { AlertFields, AlertProblem } from '../alert-fields.tsx';
import { channelNames, placeText, policyName } from '../alert-words.ts';
import { Estimate } from '../estimate.tsx';
import { StepButtons } from './step-buttons.tsx';
import { chosenAlert, replacedBy, type StepProps } from './wizard-draft.ts';

export interface WhatStepProps extends StepProps {
  policies: readonly AlertPolicy[];
  onSaved(policy: AlertPolicy): void;
}

export function WhatStep({ form, policies, onSaved }: WhatStepProps) {
  const { client } = useSession();
  const bots = useBots();
  const { draft, change, discard } = form;
  const wanted = chosenAlert(draft);
  const replaced = replacedBy(draft, policies);
  const save = useAction(async () => {
    const policy = await client.put<AlertPolicy>('/api/alerts', requestOf(wanted));
    onSaved(policy);
    discard();
  });
  return (
    <Form class="stack" isReady={isComplete(draft)} onSubmit={() => save.run()}>
      <p class="address">
        {channelNames[draft.channel]}: <strong>{placeText(wanted.destination, nameOf(draft))}</strong>
      </p>
      <SelectField
        label="About"
        value={draft.botId}
        options={[['', 'The whole workspace'], ...bots.map(({ id, name }) => [id, name] as const)]}
        hint="Alerts of one bot leave out webhooks, the calendar and other bots."
        onChange={(botId) => change({ botId })}
      />
      {replaced && (
        <p class="reason" role="status">
          There is “{policyName(replaced)}” for this destination already. Saving replaces its settings.
        </p>
      )}
      <AlertFields draft={draft} change={change} problem={save.problem} />
      <Estimate draft={wanted} />
      <AlertProblem problem={save.problem} />
      <StepButtons form={form} back="destination" isBusy={save.isBusy} isReady={isComplete(draft)}>
        Save
      </StepButtons>
    </Form>
  );
}

function nameOf({ way, connectedName }: StepProps['form']['draft']): string | null {
  return way === 'link' ? connectedName : null;
}
