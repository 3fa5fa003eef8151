import { Button, Group, TagsInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { findChangedFields } from '../client/find-changed-fields.ts';
import type { Contact } from '../client/types.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { CheckboxField, TextField } from '../components/forms/fields.tsx';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useSession } from '../session/session.tsx';
import { useAction } from '../state/use-action.ts';
import { useFormDraft } from '../state/use-form-draft.ts';
import { getContactUrl } from './contact-url.ts';

const labels = { name: 'Name', email: 'Email', phone: 'Phone', tags: 'Tags' };

/** Returns the key under which unsaved changes to the contact are stored. */
export function getContactFormKey(id: string): string {
  return getContactUrl(id);
}

export interface ContactFormProps {
  contact: Contact;
  onSaved(): void;
  onCancel(): void;
}

export function ContactForm({ contact, onSaved, onCancel }: ContactFormProps) {
  const { client } = useSession();
  const queries = useQueryClient();
  const url = getContactUrl(contact.id);
  const { draft, change, markSaved, discard } = useFormDraft(getContactFormKey(contact.id), {
    name: contact.name ?? '',
    email: contact.email ?? '',
    phone: contact.phone ?? '',
    tags: contact.tags.join(','),
    isLead: contact.is_lead,
  });
  const save = useAction(async () => {
    const edited = {
      name: draft.name.trim() || null,
      email: draft.email.trim() || null,
      phone: draft.phone.trim() || null,
      tags: parseTags(draft.tags),
      is_lead: draft.isLead,
    };
    const saved = await client.patch<Contact>(url, findChangedFields(contact, edited));
    queries.setQueryData([url], saved);
    showConfirmation('Contact saved');
    markSaved(draft);
    onSaved();
  });
  const getProblem = (field: keyof typeof labels) => describeFieldProblem(save.problem, field, labels[field]);
  const discardChanges = (): void => {
    discard();
    onCancel();
  };
  return (
    <Form onSubmit={() => save.run()}>
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => change({ name })}
        problem={getProblem('name')}
        isFocused
      />
      <TextField
        label="Email"
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
      <TagsInput
        label="Tags"
        value={parseTags(draft.tags)}
        onChange={(tags) => change({ tags: tags.join(',') })}
        error={getProblem('tags')}
        description="Press Enter after each tag."
      />
      <CheckboxField label="Lead" isChecked={draft.isLead} onChange={(isLead) => change({ isLead })} />
      <ProblemMessage problem={save.problem} inlineFields={Object.keys(labels)} />
      <Group>
        <SubmitButton isBusy={save.isBusy}>Save</SubmitButton>
        <Button variant="default" onClick={discardChanges}>
          Cancel
        </Button>
      </Group>
    </Form>
  );
}

function parseTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter(Boolean);
}
