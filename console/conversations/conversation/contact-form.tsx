import { findChangedFields } from '../../client/find-changed-fields.ts';
import { path } from '../../client/paths.ts';
import type { ContactRead } from '../../client/types.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useFormDraft } from '../../hooks/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { CheckboxField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { showConfirmation } from '../../ui/notices.ts';
import { describeFieldProblem, ProblemMessage } from '../../ui/problem-message.tsx';

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
    <Form class="stack" noValidate onSubmit={() => save.run()}>
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
      <div class="row">
        <button class="primary" type="submit" aria-disabled={save.isBusy}>
          Save
        </button>
        <button type="button" onClick={discardChanges}>
          Cancel
        </button>
      </div>
    </Form>
  );
}

function parseTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter(Boolean);
}
