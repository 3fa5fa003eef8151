import { useState } from 'react';
import type { KeyService, Org } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useSession } from '../session/session.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { SubmitOrCancel } from '../components/forms/submit-or-cancel.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { RadioChoices } from '../components/forms/radio-choices.tsx';
import {
  toServiceChange,
  toServiceDraft,
  serviceFields,
  serviceNames,
  type ServiceType,
} from './key-service-fields.ts';

export interface KeyServiceFormProps {
  /** URL of the workspace in the API. */
  url: string;
  service: KeyService | null;
  onSaved(): void;
}

const FIELD = 'settings.key_service';
const types = Object.keys(serviceNames) as ServiceType[];

/**
 * Form for the connection to the workspace's key management service. Secrets exist only in this form until
 * the user submits it.
 */
export function KeyServiceForm({ url, service, onSaved }: KeyServiceFormProps) {
  const { client } = useSession();
  const [draft, setDraft] = useState(() => toServiceDraft(service));
  const save = useAction(async () => {
    await client.patch<Org>(url, { settings: { key_service: toServiceChange(draft) } });
    showConfirmation('KMS connection verified and saved');
    onSaved();
  });
  const fields = serviceFields[draft.type];
  return (
    <Form onSubmit={() => save.run()}>
      <RadioChoices
        legend="Type"
        choices={types.map((type) => ({ value: type, title: serviceNames[type] }))}
        value={draft.type}
        onChange={(type) => setDraft({ ...draft, type })}
      />
      {fields.map(({ name, label, hint, placeholder, isSecret = false, isOptional = false }) => (
        <TextField
          key={name}
          label={isOptional ? `${label} (optional)` : label}
          hint={hint}
          {...(placeholder !== undefined && { placeholder })}
          type={isSecret ? 'password' : 'text'}
          isRequired={!isOptional}
          value={draft[name] ?? ''}
          onChange={(value) => setDraft({ ...draft, [name]: value })}
          problem={describeFieldProblem(save.problem, `${FIELD}.${name}`, label)}
        />
      ))}
      <p className="hint">
        Before saving, we test that your KMS can encrypt a value and decrypt it again. The connection must use
        HTTPS.
      </p>
      <ProblemMessage
        problem={save.problem}
        labels={{ [FIELD]: 'The KMS' }}
        inlineFields={fields.map(({ name }) => `${FIELD}.${name}`)}
      />
      <SubmitOrCancel isBusy={save.isBusy}>Test and save</SubmitOrCancel>
    </Form>
  );
}
