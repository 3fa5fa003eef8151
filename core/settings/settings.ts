import { Type, type Static } from '@sinclair/typebox';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ipaddr from 'ipaddr.js';
import { ALERT_PRICES_FORM, parseAlertPrices } from '../alerts/alert-prices.ts';
import { parsePlans, PLANS_FORM } from '../billing/plans.ts';
import { listRoleProblems } from './worker-roles.ts';
import { listAlertProblems } from './alert-settings.ts';
import { listBillingProblems } from './billing-settings.ts';
import { deriveEmbeddings } from './embedding-providers.ts';
import { parseIdentityProviders } from '../accounts/identity-providers.ts';
import { compilesQuickly } from '../errors/schema-compiler.ts';
import { formatSchemaError } from '../errors/schema-messages.ts';
import { fixedValues, type FixedValues } from './fixed-values.ts';
import { settingDefinitions } from './setting-definitions.ts';
import type { SettingDefinition } from './setting-definition.ts';

type Definitions = typeof settingDefinitions;

/** Values of all settings of the installation, with defaults applied, together with the fixed values. */
export type Settings = {
  readonly [K in keyof Definitions]: Definitions[K]['required'] extends true
    ? Static<Definitions[K]['schema']>
    : Static<Definitions[K]['schema']> | undefined;
} & Readonly<FixedValues>;

/**
 * Thrown if the environment variables are invalid, so that the process cannot start. The message has a line
 * for each error.
 */
export class SettingsError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

const entries = Object.entries(settingDefinitions) as [keyof Definitions, SettingDefinition][];

const validate = new Ajv2020({
  ...compilesQuickly,
  coerceTypes: true,
  useDefaults: true,
  allErrors: true,
  strict: false,
}).compile(
  Type.Object(
    Object.fromEntries(
      entries.map(([, { env, schema, required }]) => [env, required ? schema : Type.Optional(schema)]),
    ),
  ),
);

/**
 * Environment variables of the SDKs and the command line, which may be set in the shell that starts Parley.
 */
const CLIENT_VARIABLES: ReadonlySet<string> = new Set(['PARLEY_URL', 'PARLEY_API_KEY']);

/**
 * Reads the settings from environment variables; empty variables count as absent.
 * @param values replacements for the fixed values, for tests
 * @throws SettingsError that names every unknown `PARLEY_*` variable and every invalid value
 */
export function loadSettings(
  env: Record<string, string | undefined>,
  values: Partial<FixedValues> = {},
): Settings {
  const settingNames = new Set(entries.map(([, { env: name }]) => name));
  const problems = Object.keys(env)
    .filter((name) => name.startsWith('PARLEY_') && !settingNames.has(name) && !CLIENT_VARIABLES.has(name))
    .map((name) => `${name} is not a setting of Parley; docs/settings.md lists all settings.`);
  const variables: Record<string, unknown> = Object.fromEntries(
    entries.map(([, { env: name }]) => [name, env[name] === '' ? undefined : env[name]]),
  );
  variables['PARLEY_BASE_URL'] ??=
    `http://localhost:${env['PORT'] || settingDefinitions.port.schema.default}`;
  for (const name of Object.keys(variables)) if (variables[name] === undefined) delete variables[name];
  if (!validate(variables)) {
    for (const error of validate.errors ?? []) {
      const name = error.instancePath.slice(1) || String(error.params['missingProperty']);
      problems.push(`${name} ${describeProblem(name, error)}.`);
    }
  }
  if (variables['PARLEY_STORAGE'] === 's3' && !variables['PARLEY_S3_BUCKET']) {
    problems.push('PARLEY_S3_BUCKET must be set when PARLEY_STORAGE is s3.');
  }
  if (variables['PARLEY_EMBEDDING_BASE_URL'] && variables['PARLEY_EMBEDDING_MODEL_PATH']) {
    problems.push(
      'PARLEY_EMBEDDING_BASE_URL and PARLEY_EMBEDDING_MODEL_PATH cannot both be set: all vectors come from one model.',
    );
  }
  if (parseIdentityProviders(String(variables['PARLEY_IDENTITY_PROVIDERS'])) === null) {
    problems.push(
      'PARLEY_IDENTITY_PROVIDERS must be JSON like {"google":{"issuer":"https://accounts.google.com","client_id":"…","client_secret":"…"}}, with names of lowercase letters, digits and hyphens.',
    );
  }
  if (parseAlertPrices(String(variables['PARLEY_ALERT_PRICES'])) === null) problems.push(ALERT_PRICES_FORM);
  if (parsePlans(String(variables['PARLEY_PLANS'])) === null) problems.push(PLANS_FORM);
  problems.push(...listRoleProblems(String(variables['PARLEY_WORKER_QUEUES'])));
  problems.push(...listAlertProblems(variables), ...listBillingProblems(variables));
  problems.push(
    ...listJsonProblems(variables['PARLEY_MODEL_PRICES']),
    ...listCidrProblems(variables['PARLEY_OUTBOUND_ALLOW']),
  );
  if (problems.length > 0) throw new SettingsError([...new Set(problems)]);
  const rawValues = Object.fromEntries(entries.map(([key, { env: name }]) => [key, variables[name]]));
  const settings = { ...fixedValues, ...values, ...rawValues } as Settings;
  const embeddingModel = env['PARLEY_EMBEDDING_MODEL'] || undefined;
  return { ...settings, ...deriveEmbeddings(settings, embeddingModel) };
}

/** Describes the value that a setting must have, in the words of the setting's definition where possible. */
function describeProblem(name: string, error: ErrorObject): string {
  const schema = entries.find(([, { env }]) => env === name)?.[1].schema;
  const options = (schema?.['anyOf'] ?? []) as { const: string }[];
  if (options.length > 0) return `must be one of ${options.map((option) => option.const).join(', ')}`;
  const form = schema?.['form'] as string | undefined;
  return error.keyword === 'pattern' && form !== undefined ? `must be ${form}` : formatSchemaError(error);
}

const PriceTable = Type.Record(
  Type.String(),
  Type.Object({ input: Type.Number({ minimum: 0 }), output: Type.Number({ minimum: 0 }) }),
);
export type PriceTable = Static<typeof PriceTable>;
const isPriceTable = new Ajv2020(compilesQuickly).compile(PriceTable);

function listJsonProblems(value: unknown): string[] {
  try {
    if (isPriceTable(JSON.parse(String(value)))) return [];
  } catch {
    // Report the error below for invalid JSON as well as for JSON of another shape.
  }
  return ['PARLEY_MODEL_PRICES must be JSON like {"model":{"input":0.15,"output":0.6}}.'];
}

function listCidrProblems(value: unknown): string[] {
  return splitList(typeof value === 'string' ? value : '')
    .filter((cidr) => !ipaddr.isValidCIDR(cidr))
    .map((cidr) => `PARLEY_OUTBOUND_ALLOW contains "${cidr}", which is not a CIDR such as 10.1.0.0/16.`);
}

/** Returns the items of a comma-separated setting. */
export function splitList(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}
