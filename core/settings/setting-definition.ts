import { Type, type TSchema } from '@sinclair/typebox';

export interface SettingDefinition<T extends TSchema = TSchema> {
  env: string;
  schema: T;
  group: SettingGroup;
  secret: boolean;
  /**
   * Whether operators must set a value. Without a value, the feature is off, or the default depends on other
   * settings.
   */
  required: boolean;
}

export type SettingGroup =
  | 'Processes and addresses'
  | 'Database'
  | 'Temporal'
  | 'Secrets and first start'
  | 'Storage'
  | 'Documents'
  | 'Models'
  | 'Embeddings'
  | 'Mail'
  | 'Outbound requests'
  | 'Limits'
  | 'Lifetimes'
  | 'Calendars'
  | 'Alerts'
  | 'Billing'
  | 'Encryption'
  | 'Observability';

export function setting<T extends TSchema>(group: SettingGroup, env: string, schema: T, secret = false) {
  return { env, schema, group, secret, required: true as const };
}

export function optional<T extends TSchema>(group: SettingGroup, env: string, schema: T, secret = false) {
  return { env, schema, group, secret, required: false as const };
}

export const port = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65535, default: fallback, description });
export const metricsPort = (description: string) => Type.Integer({ minimum: 0, maximum: 65535, description });
export const nonEmptyText = (description: string) => Type.String({ minLength: 1, description });
export const textWithDefault = (fallback: string, description: string) =>
  Type.String({ minLength: 1, default: fallback, description });
export const integerWithin = (fallback: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, default: fallback, description });
