import { useId } from 'preact/hooks';
import { TextField } from './fields.tsx';

export interface ZoneFieldProps {
  label: string;
  value: string;
  onChange(zone: string): void;
  hint?: string;
  problem?: string | undefined;
  isRequired?: boolean;
}

const known = Intl.supportedValuesOf('timeZone');
const zones = known.includes('UTC') ? known : ['UTC', ...known];

/** Input for a time zone, with suggestions of those that the browser knows. */
export function ZoneField(props: ZoneFieldProps) {
  const list = useId();
  return (
    <>
      <TextField {...props} list={list} maxLength={64} />
      <datalist id={list}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
