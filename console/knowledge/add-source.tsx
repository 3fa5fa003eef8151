import { Button } from '@mantine/core';
import { useState } from 'react';
import type { DocumentRead } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useFormDraft } from '../state/use-form-draft.ts';
import { useSession } from '../session/session.tsx';
import { SelectField, TextArea, TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { showConfirmation } from '../components/notices.ts';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { refreshRates, type RefreshRate } from './refresh-field.tsx';

type SourceType = 'raw_text' | 'url' | 'sitemap';

const sourceTypes = [
  ['raw_text', 'A text'],
  ['url', 'A page'],
  ['sitemap', 'A site'],
] as const;

interface SourceDraft {
  type: SourceType;
  title: string;
  text: string;
  address: string;
  maxPages: string;
  refresh: RefreshRate;
}

const NOTHING: SourceDraft = {
  type: 'raw_text',
  title: '',
  text: '',
  address: '',
  maxPages: '25',
  refresh: 'none',
};

export interface AddSourceProps {
  url: string;
  onAdded(): void;
}

export function AddSource({ url, onAdded }: AddSourceProps) {
  const { client } = useSession();
  const { draft, isChanged, change, markSaved } = useFormDraft<SourceDraft>(url, NOTHING);
  const { title, text, address, maxPages, refresh } = draft;
  const [type, setType] = useState(draft.type);
  const chooseType = (chosen: SourceType): void => {
    setType(chosen);
    if (isChanged) change({ type: chosen });
  };
  const add = useAction(async () => {
    const { created_at: createdAt, updated_at: changedAt } = await client.post<DocumentRead>(url, {
      source_type: type,
      title,
      ...(type === 'raw_text' ? { raw_text: text } : { url: address, refresh }),
      ...(type === 'sitemap' && { max_pages: Number(maxPages) }),
    });
    markSaved({ ...draft, ...pickOtherSources(type) });
    const known = `This ${type === 'sitemap' ? 'site' : 'page'} is a source already; it is indexed again.`;
    showConfirmation(createdAt === changedAt ? 'It is added and being indexed.' : known);
    onAdded();
  });
  return (
    <Form className="card stack" onSubmit={() => add.run()}>
      <h2>Add</h2>
      <div className="row">
        <SelectField label="What" value={type} options={sourceTypes} onChange={chooseType} />
        <TextField
          label="Title, if not its own"
          value={title}
          onChange={(typed) => change({ title: typed, type })}
          problem={describeFieldProblem(add.problem, 'title', 'The title')}
          maxLength={500}
        />
      </div>
      {type === 'raw_text' ? (
        <TextArea
          label="Text"
          value={text}
          onChange={(typed) => change({ text: typed, type })}
          problem={describeFieldProblem(add.problem, 'raw_text', 'The text')}
          isRequired
        />
      ) : (
        <TextField
          label={type === 'url' ? 'Address of the page' : 'Address of the site or its sitemap'}
          type="url"
          value={address}
          onChange={(typed) => change({ address: typed, type })}
          problem={describeFieldProblem(add.problem, 'url', 'The address')}
          isRequired
        />
      )}
      {type === 'sitemap' && (
        <p className="hint">
          Its pages are found by its sitemap: the one that robots.txt names, or else /sitemap.xml. The links
          of a site without one are followed.
        </p>
      )}
      {type === 'sitemap' && (
        <TextField
          label="Pages at most"
          type="number"
          min={1}
          max={200}
          value={maxPages}
          onChange={(typed) => change({ maxPages: typed, type })}
          problem={describeFieldProblem(add.problem, 'max_pages', 'The number of pages')}
          isRequired
        />
      )}
      {type !== 'raw_text' && (
        <SelectField
          label="Read it again"
          value={refresh}
          options={refreshRates}
          onChange={(chosen) => change({ refresh: chosen, type })}
        />
      )}
      <ProblemMessage problem={add.problem} inlineFields={['title', 'raw_text', 'url', 'max_pages']} />
      <Button variant="default" type="submit" aria-disabled={add.isBusy}>
        {add.isBusy ? 'Adding …' : 'Add'}
      </Button>
    </Form>
  );
}

/** Returns the entered values of the other source types, which stay in the form after a source was added. */
function pickOtherSources(type: SourceType): Partial<SourceDraft> {
  const { text, address, maxPages, refresh } = NOTHING;
  return type === 'raw_text' ? { address, maxPages, refresh } : { text };
}
