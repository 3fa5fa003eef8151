import { settingDefinitions } from '../../core/settings/setting-definitions.ts';
import type { SettingDefinition } from '../../core/settings/setting-definition.ts';

/** Generates docs/settings.md from the definitions of the settings. */
export function renderSettingsPage(): string {
  const definitions: SettingDefinition[] = Object.values(settingDefinitions);
  const groups = [...new Set(definitions.map(({ group }) => group))];
  const sections = groups.map((group) =>
    renderSection(
      group,
      definitions.filter((each) => each.group === group),
    ),
  );
  return [INTRODUCTION, ...sections].join('\n');
}

const INTRODUCTION = `# Settings

Every setting is an environment variable.
An empty variable counts as absent.
An unknown \`PARLEY_*\` variable or an invalid value stops the start with its name and the reason.
🔒 marks secrets.
\`npm run generate\` writes this page from \`core/settings/setting-definitions.ts\`.
`;

function renderSection(group: string, definitions: SettingDefinition[]): string {
  const rows = definitions.map((definition) => {
    const { env, schema, secret } = definition;
    const cells = [
      `\`${env}\`${secret ? ' 🔒' : ''}`,
      describeValues(definition),
      describeDefault(definition),
      schema.description ?? '',
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return [
    '',
    `## ${group}`,
    '',
    '| Variable | Values | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ]
    .join('\n')
    .slice(1);
}

function describeValues({ schema }: SettingDefinition): string {
  if (Array.isArray(schema.anyOf))
    return schema.anyOf.map((option: { const: string }) => `\`${option.const}\``).join(', ');
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.type === 'number') return `number, ${schema.minimum}–${schema.maximum}`;
  if (schema.type === 'integer') return `integer, ${schema.minimum}–${schema.maximum}`;
  const bounds = [
    ...(schema.minLength > 1 ? [`at least ${schema.minLength}`] : []),
    ...(schema.maxLength ? [`at most ${schema.maxLength}`] : []),
  ];
  if (bounds.length > 0) return `text of ${bounds.join(' and ')} characters`;
  return schema['form'] ?? 'text';
}

function describeDefault({ schema }: SettingDefinition): string {
  return schema.default === undefined || schema.default === '' ? '–' : `\`${schema.default}\``;
}
