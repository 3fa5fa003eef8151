import { PasswordField, SelectField, SwitchField, TextField } from '../../components/forms/fields.tsx';
import { Section } from '../../components/page/section.tsx';
import type { Model } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import type { DraftBinding } from './draft-binding.ts';
import { ProviderTest } from './provider-test.tsx';

const providers = [
  ['platform', 'Parley'],
  ['byok', 'Your own API key'],
  ['custom', 'Custom endpoint'],
] as const;

/** Form fields for the bot's model: its provider, API key and limits. */
export function ModelFields(binding: DraftBinding) {
  const { bot, draft, text, choice, change } = binding;
  const provider = draft.llm_provider;
  return (
    <Section
      title="Model"
      description="The AI model that writes the answers."
      tools={<ProviderTest botId={bot.id} />}
    >
      <div className="field-pair">
        <SelectField
          label="Provider"
          value={provider}
          options={providers}
          onChange={(chosen) => change({ llm_provider: chosen })}
        />
        {provider === 'custom' ? (
          <TextField label="Model name" maxLength={128} {...text('endpoint_model')} />
        ) : (
          <ModelField {...binding} />
        )}
      </div>
      {provider === 'byok' && (
        <PasswordField
          label="API key"
          isRequired={!bot.has_api_key}
          hint={bot.has_api_key ? 'A key is stored. Enter a new one to replace it.' : 'Stored encrypted.'}
          maxLength={500}
          {...text('api_key')}
        />
      )}
      {provider === 'custom' && <EndpointFields {...binding} />}
      <div className="field-pair">
        <TextField
          label="Temperature"
          hint="0 is focused, 2 is creative."
          type="number"
          min={0}
          max={2}
          step="any"
          isRequired
          {...text('temperature')}
        />
        <TextField
          label="Max response length (tokens)"
          type="number"
          min={64}
          max={32768}
          isRequired
          {...text('max_tokens')}
        />
      </div>
      <SwitchField
        label="Think before answering"
        hint="For models that support reasoning."
        {...choice('thinking_enabled')}
      />
      {draft.thinking_enabled && (
        <TextField
          label="Thinking budget (tokens)"
          type="number"
          min={1024}
          max={32000}
          isRequired
          {...text('thinking_budget_tokens')}
        />
      )}
    </Section>
  );
}

function ModelField({ draft, text }: DraftBinding) {
  const { data = [] } = useApi<Model[]>('/api/models');
  const { value } = text('model');
  const known = data.filter(({ provider }) => provider === draft.llm_provider);
  const isListed = value === '' || known.some(({ id }) => id === value);
  return (
    <SelectField
      label="Model"
      options={[
        ['', 'Default model'],
        ...known.map(({ id, name }) => [id, name] as const),
        ...(isListed ? [] : [[value, value] as const]),
      ]}
      {...text('model')}
    />
  );
}

function EndpointFields({ bot, text }: DraftBinding) {
  return (
    <>
      <TextField
        label="Endpoint URL"
        hint="Receives chat-completion requests."
        type="url"
        maxLength={1000}
        isRequired
        {...text('endpoint_url')}
      />
      <div className="field-pair">
        <TextField
          label="Auth header"
          placeholder="Authorization"
          maxLength={100}
          {...text('endpoint_header')}
        />
        <PasswordField
          label="Header value"
          isRequired={false}
          hint={
            bot.custom_endpoint_config?.has_auth_header_value
              ? 'A value is stored. Enter a new one to replace it.'
              : 'Stored encrypted.'
          }
          maxLength={2000}
          {...text('endpoint_secret')}
        />
      </div>
      <TextField
        label="Response path"
        hint="Path of the answer in the response, such as choices.0.message.content."
        maxLength={200}
        {...text('endpoint_path')}
      />
    </>
  );
}
