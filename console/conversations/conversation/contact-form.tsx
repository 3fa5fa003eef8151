import { Button } from '@mantine/core';
import { findChangedFields } from '../../client/find-changed-fields.ts';
import { path } from '../../client/paths.ts';
import type { ContactRead } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { CheckboxField, TextField } from '../../components/fields.tsx';
import { Form } from '../../components/form.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';

const labels = { name: 'Name', email: 'E-mail', phone: 'Phone', tags: 'Tags' };

/** Returns the key under which unsaved changes to the contact are stored. */
export function getContactFormKey(id: string): string {
  return path`/api/contacts/${id}`;
}

export interface ContactFormProps {
  contact: ContactRead;
  onSaved(contact: ContactRead): void;
  onCancel(): void;
}

export function ContactForm({ contact, onSaved, onCancel }: ContactFormProps) {
  const { client } = useSession();
  const url = getContactFormKey(contact.id);
  const {
    draft,
    change,
    markSaved: settle,
    discard,
  } = useFormDraft(url, {
    name: contact.name ?? '',
    email: contact.email ?? '',
    phone: contact.phone ?? '',
    tags: contact.tags.join(', '),
    isLead: contact.is_lead,
  });
  const save = useAction(async () => {
    const wanted = {
      name: draft.name.trim() || null,
      email: draft.email.trim() || null,
      phone: draft.phone.trim() || null,
      tags: parseTags(draft.tags),
      is_lead: draft.isLead,
    };
    const saved = await client.patch<ContactRead>(url, findChangedFields(contact, wanted));
    showConfirmation('The contact is saved.');
    settle(draft);
    onSaved(saved);
  });
  const getProblem = (field: keyof typeof labels) => describeFieldProblem(save.problem, field, labels[field]);
  const discardChanges = (): void => {
    discard();
    onCancel();
  };
  return (
    <Form className="stack" onSubmit={() => save.run()}>
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => change({ name })}
        problem={getProblem('name')}
        isFocused
      />
      <TextField
        label="E-mail"
        type="email"
        value={draft.email}
        onChange={(email) => change({ email })}
        problem={getProblem('email')}
      />
      <TextField
        label="Phone"
        type="tel"
        value={draft.phone}
        onChange={(phone) => change({ phone })}
        problem={getProblem('phone')}
      />
      <TextField
        label="Tags"
        value={draft.tags}
        onChange={(tags) => change({ tags })}
        problem={getProblem('tags')}
        hint="Separated by commas."
      />
      <CheckboxField label="Lead" isChecked={draft.isLead} onChange={(isLead) => change({ isLead })} />
      <ProblemMessage problem={save.problem} inlineFields={Object.keys(labels)} />
      <div className="row">
        <Button type="submit" aria-disabled={save.isBusy}>
          Save
        </Button>
        <Button variant="default" onClick={discardChanges}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

function parseTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter(Boolean);
}
