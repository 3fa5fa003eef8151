import { useMeta } from '../../state/use-meta.ts';
import { SelectField } from './fields.tsx';

export interface LanguageFieldProps {
  label: string;
  value: string;
  /** Value of the option “Visitor's language”, which selects no fixed language. */
  auto: string;
  onChange(value: string): void;
  problem?: string | undefined;
}

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** Select field for a language. Includes the current value even if Parley does not support the language. */
export function LanguageField({ label, value, auto, onChange, problem }: LanguageFieldProps) {
  const meta = useMeta();
  const known = [...new Set([...(meta?.languages ?? []), value])].filter((tag) => tag !== auto && tag !== '');
  const options = known.map((tag) => [tag, getLanguageName(tag)] as const);
  return (
    <SelectField
      label={label}
      value={value}
      options={[
        [auto, "Visitor's language (auto)"],
        ...options.toSorted(([, a], [, b]) => a.localeCompare(b)),
      ]}
      onChange={onChange}
      problem={problem}
    />
  );
}

/**
 * Returns the name of a language by its tag. Returns an invalid tag unchanged: older versions of Parley
 * stored tags without a check.
 */
function getLanguageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
