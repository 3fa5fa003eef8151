import type Koa from 'koa';
import { settingDefinitions } from '../../core/settings/setting-definitions.ts';
import type { SettingDefinition } from '../../core/settings/setting-definition.ts';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { deriveSlug } from '../../core/text/slug.ts';
import { renderPage, sendPage } from '../../web/page.ts';

const PATH = '/docs/settings';

/**
 * Serves a page that explains each setting of the server, without the values. Returns whether the request was
 * for this page.
 */
export function serveSettingsPage(koa: Koa.Context): boolean {
  if (koa.path !== PATH || (koa.method !== 'GET' && koa.method !== 'HEAD')) return false;
  sendPage(koa, (settingsPage ??= renderSettings(Object.values(settingDefinitions))));
  return true;
}

let settingsPage: string | undefined;

function renderSettings(definitions: readonly SettingDefinition[]): string {
  const groups = [...new Set(definitions.map(({ group }) => group))];
  const sections = groups.map(
    (group) => `<h2 id="${deriveSlug(group)}">${escapeHtml(group)}</h2>
<dl class="card">
${definitions
  .filter((each) => each.group === group)
  .map(renderSetting)
  .join('\n')}
</dl>`,
  );
  return renderPage(
    'Settings',
    `<h1>Settings</h1>
<p>The operator sets these settings as environment variables, and restarts Parley to apply changes. An empty variable counts as absent.</p>
${sections.join('\n')}
<p><a href="/console">Console</a> · <a href="/docs/guides">Guides</a> · <a href="/docs">API reference</a></p>`,
  );
}

function renderSetting({ env, secret, schema }: SettingDefinition): string {
  const fallback =
    schema.default === undefined || schema.default === '' ? '' : `By default \`${schema.default}\`.`;
  const description = [schema.description ?? '', fallback, secret ? 'This value is a secret.' : '']
    .filter(Boolean)
    .join(' ');
  return `<dt id="${env}"><code>${env}</code></dt>
<dd>${escapeHtml(description).replaceAll(/`([^`]*)`/g, '<code>$1</code>')}</dd>`;
}
