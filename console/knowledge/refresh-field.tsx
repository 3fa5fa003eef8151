import type { KnowledgeDocument } from '../client/types.ts';
import { SelectField } from '../components/forms/fields.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useSession } from '../session/session.tsx';
import { useAction } from '../state/use-action.ts';

export type RefreshRate = KnowledgeDocument['refresh'];

export const refreshRates = [
  ['none', 'Never'],
  ['daily', 'Daily'],
  ['weekly', 'Weekly'],
] as const satisfies readonly (readonly [RefreshRate, string])[];

export interface RefreshFieldProps {
  /** URL of the document in the API. */
  url: string;
  document: KnowledgeDocument;
  onChange(document: KnowledgeDocument): void;
}

/** Select field for how often Parley reads a page or website again. A change is saved immediately. */
export function RefreshField({ url, document, onChange }: RefreshFieldProps) {
  const { client } = useSession();
  const save = useAction(async (refresh: RefreshRate) =>
    onChange(await client.patch<KnowledgeDocument>(url, { refresh })),
  );
  return (
    <>
      <SelectField label="Auto-refresh" value={document.refresh} options={refreshRates} onChange={save.run} />
      <ProblemMessage problem={save.problem} />
    </>
  );
}
