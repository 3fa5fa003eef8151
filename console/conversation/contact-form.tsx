import { useState } from 'preact/hooks';
import { path } from '../client/paths.ts';
import type { ContactRead } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { CheckboxField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { tell } from '../ui/notices.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';

export interface ContactFormProps {
  contact: ContactRead;
  onSaved(contact: ContactRead): void;
  onCancel(): void;
}

export function ContactForm({ contact, onSaved, onCancel }: ContactFormProps) {
  const { client } = useSession();
  const [name, setName] = useState(contact.name ?? '');
  const [email, setEmail] = useState(contact.email ?? '');
  const [phone, setPhone] = useState(contact.phone ?? '');
  const [tags, setTags] = useState(contact.tags.join(', '));
  const [isLead, setLead] = useState(contact.is_lead);
  const save = useAction(async () => {
    const saved = await client.patch<ContactRead>(path`/api/contacts/${contact.id}`, {
      name: name.trim() || null,
      email: email.trim() || null,
      phone: phone.trim() || null,
      tags: tagsIn(tags),
      is_lead: isLead,
    });
    tell('The contact is saved.');
    onSaved(saved);
  });
  return (
    <Form class="stack" noValidate onSubmit={() => save.run()}>
      <TextField label="Name" value={name} onChange={setName} isFocused />
      <TextField label="E-mail" type="email" value={email} onChange={setEmail} />
      <TextField label="Phone" type="tel" value={phone} onChange={setPhone} />
      <TextField label="Tags" value={tags} onChange={setTags} hint="Separated by commas." />
      <CheckboxField label="Lead" isChecked={isLead} onChange={setLead} />
      <ProblemMessage problem={save.problem} />
      <div class="row">
        <button class="primary" type="submit" disabled={save.isBusy}>
          Save
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </Form>
  );
}

function tagsIn(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter(Boolean);
}
