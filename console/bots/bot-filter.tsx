import { SelectField } from '../components/forms/fields.tsx';
import { useBots } from './use-bots.ts';

export interface BotFilterProps {
  value: string;
  onChange(botId: string): void;
}

export function BotFilter({ value, onChange }: BotFilterProps) {
  const bots = useBots();
  return (
    <SelectField
      label="Bot"
      value={value}
      options={[['', 'All bots'], ...bots.map(({ id, name }) => [id, name] as const)]}
      onChange={onChange}
    />
  );
}
