import { useState } from 'preact/hooks';
import type { DocumentRead } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { tell } from '../ui/notices.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';

type SourceType = 'raw_text' | 'url' | 'sitemap';

const sourceTypes = [
  ['raw_text', 'A text'],
  ['url', 'A page'],
  ['sitemap', 'A site, by its sitemap'],
] as const;

export interface AddSourceProps {
  url: string;
  onAdded(): void;
}

export function AddSource({ url, onAdded }: AddSourceProps) {
  const { client } = useSession();
  const [type, setType] = useState<SourceType>('raw_text');
  const [title, setTitle] = useState('');
  const [text, setText] = useState('');
  const [address, setAddress] = useState('');
  const [mostPages, setMostPages] = useState('25');
  const add = useAction(async () => {
    await client.post<DocumentRead>(url, {
      source_type: type,
      title,
      ...(type === 'raw_text' ? { raw_text: text } : { url: address }),
      ...(type === 'sitemap' && { max_pages: Number(mostPages) }),
    });
    setTitle('');
    setText('');
    setAddress('');
    tell('It is added and being indexed.');
    onAdded();
  });
  return (
    <Form class="card stack" onSubmit={() => add.run()}>
      <h2>Add</h2>
      <div class="row">
        <SelectField label="What" value={type} options={sourceTypes} onChange={(chosen) => setType(chosen)} />
        <TextField label="Title, if not its own" value={title} onChange={setTitle} maxLength={500} />
      </div>
      {type === 'raw_text' ? (
        <TextArea label="Text" value={text} onChange={setText} isRequired />
      ) : (
        <TextField
          label={type === 'url' ? 'Address of the page' : 'Address of the site or its sitemap'}
          type="url"
          value={address}
          onChange={setAddress}
          isRequired
        />
      )}
      {type === 'sitemap' && (
        <TextField
          label="Pages at most"
          type="number"
          min={1}
          max={200}
          value={mostPages}
          onChange={setMostPages}
        />
      )}
      <ProblemMessage problem={add.problem} />
      <button type="submit" disabled={add.isBusy}>
        {add.isBusy ? 'Adding …' : 'Add'}
      </button>
    </Form>
  );
}
