import type { BotRead, Model } from '../client/types.ts';
import { useLoad } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';
import { SelectField } from '../components/fields.tsx';

export interface ModelFieldProps {
  bot: BotRead;
  value: string;
  onChange(model: string): void;
  problem?: string | undefined;
}

export function ModelField({ bot, value, onChange, problem }: ModelFieldProps) {
  const { client } = useSession();
  const { data = [] } = useLoad((signal) => client.get<Model[]>('/api/models', signal), [client]);
  const known = data.filter(({ provider }) => provider === bot.llm_provider);
  const options = known.map(({ id, name }) => [id, name] as const);
  const isListed = value === '' || known.some(({ id }) => id === value);
  return (
    <SelectField
      label="Model"
      hint={`Of the provider ${bot.llm_provider}.`}
      value={value}
      options={[['', 'The provider’s default'], ...options, ...(isListed ? [] : [[value, value] as const])]}
      onChange={onChange}
      problem={problem}
    />
  );
}
