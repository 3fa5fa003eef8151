import { Type } from '@sinclair/typebox';
import {
  setting,
  optional,
  nonEmptyText,
  textWithDefault,
  type SettingDefinition,
} from './setting-definition.ts';

export const modelSettings = {
  modelBaseUrl: optional(
    'Models',
    'PARLEY_MODEL_BASE_URL',
    Type.String({
      pattern: '^https?://',
      form: 'a URL with http:// or https://, such as https://api.openai.com/v1',
      description:
        'OpenAI-compatible endpoint of the `platform` provider, e.g. `https://api.openai.com/v1`. If this is not set, answers quote the documents (`extractive-1`).',
    }),
  ),
  modelApiKey: optional(
    'Models',
    'PARLEY_MODEL_API_KEY',
    nonEmptyText('Key for `PARLEY_MODEL_BASE_URL`.'),
    true,
  ),
  modelName: setting('Models', 'PARLEY_MODEL', textWithDefault('gpt-4o-mini', 'Default model of bots.')),
  byokBaseUrl: setting(
    'Models',
    'PARLEY_BYOK_BASE_URL',
    Type.String({
      pattern: '^https?://',
      form: 'a URL with http:// or https://, such as https://api.openai.com/v1',
      default: 'https://api.openai.com/v1',
      description: 'OpenAI-compatible endpoint for `byok` bots with the workspace’s key.',
    }),
  ),
  modelPrices: setting(
    'Models',
    'PARLEY_MODEL_PRICES',
    Type.String({
      default:
        '{"gpt-4o-mini":{"input":0.15,"output":0.6},"gpt-4o":{"input":2.5,"output":10},"gpt-4.1-mini":{"input":0.4,"output":1.6},"gpt-4.1":{"input":2,"output":8}}',
      description:
        'Prices of models: JSON of model → US dollars per million tokens. The cost of other models is null.',
    }),
  ),
} satisfies Record<string, SettingDefinition>;
