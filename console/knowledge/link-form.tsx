import { Accordion, SegmentedControl } from '@mantine/core';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { SelectField, TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { SubmitOrCancel } from '../components/forms/submit-or-cancel.tsx';
import { useFormDraft } from '../state/use-form-draft.ts';
import { completeLink, isSite } from './parse-link.ts';
import { refreshRates, type RefreshRate } from './refresh-field.tsx';
import { useAddSource, type SourceFormProps } from './use-add-source.ts';

interface LinkDraft {
  link: string;
  /** Type of source that the user chose for the link; empty to derive the type from the link. */
  scope: '' | 'sitemap' | 'url';
  maxPages: string;
  refresh: RefreshRate;
  title: string;
  encoding: string;
}

const EMPTY: LinkDraft = { link: '', scope: '', maxPages: '25', refresh: 'none', title: '', encoding: '' };

const scopes = [
  { value: 'sitemap', label: 'Whole website' },
  { value: 'url', label: 'Only this page' },
];

/** Form that adds a website, or one of its pages, to the bot's documents. */
export function LinkForm(props: SourceFormProps) {
  const { draft, change, discard } = useFormDraft<LinkDraft>(`${props.url}/link`, EMPTY);
  const add = useAddSource(props, discard);
  const link = completeLink(draft.link);
  const type = draft.scope || (isSite(link) ? 'sitemap' : 'url');
  const submit = (): void =>
    add.run({
      source_type: type,
      url: link,
      title: draft.title.trim(),
      refresh: draft.refresh,
      ...(type === 'sitemap' && { max_pages: Number(draft.maxPages) }),
      ...(type === 'url' && draft.encoding.trim() && { encoding: draft.encoding.trim() }),
    });
  return (
    <Form onSubmit={submit}>
      <TextField
        label="Link"
        placeholder="example.com"
        hint="A website, its sitemap or a single page."
        maxLength={2000}
        value={draft.link}
        onChange={(typed) => change({ link: typed })}
        problem={describeFieldProblem(add.problem, 'url', 'The link')}
        isRequired
        isFocused
      />
      {draft.link.trim() !== '' && (
        <SegmentedControl
          aria-label="What to import"
          value={type}
          data={scopes}
          onChange={(scope) => change({ scope: scope as LinkDraft['scope'] })}
        />
      )}
      <div className="field-pair">
        {type === 'sitemap' && (
          <TextField
            label="Page limit"
            type="number"
            min={1}
            max={200}
            hint="We crawl your sitemap, or follow links if there isn't one."
            value={draft.maxPages}
            onChange={(maxPages) => change({ maxPages })}
            problem={describeFieldProblem(add.problem, 'max_pages', 'The page limit')}
            isRequired
          />
        )}
        <SelectField
          label="Auto-refresh"
          value={draft.refresh}
          options={refreshRates}
          onChange={(refresh) => change({ refresh })}
        />
      </div>
      <Accordion variant="separated">
        <Accordion.Item value="advanced">
          <Accordion.Control>Advanced</Accordion.Control>
          <Accordion.Panel>
            <div className="field-pair">
              <TextField
                label="Title (optional)"
                maxLength={500}
                value={draft.title}
                onChange={(title) => change({ title })}
                problem={describeFieldProblem(add.problem, 'title', 'The title')}
              />
              {type === 'url' && (
                <TextField
                  label="Encoding (optional)"
                  hint="Leave blank to detect the encoding. Example: windows-1251."
                  maxLength={100}
                  value={draft.encoding}
                  onChange={(encoding) => change({ encoding })}
                  problem={describeFieldProblem(add.problem, 'encoding', 'The encoding')}
                />
              )}
            </div>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
      <ProblemMessage problem={add.problem} inlineFields={['url', 'max_pages', 'title', 'encoding']} />
      <SubmitOrCancel isBusy={add.isBusy} onCancel={discard}>
        {type === 'sitemap' ? 'Add website' : 'Add page'}
      </SubmitOrCancel>
    </Form>
  );
}
