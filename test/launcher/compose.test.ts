import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { settingDefinitions } from '../../core/setting-definitions.ts';
import { loadSettings } from '../../core/settings.ts';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { TEMPORAL_FAIRNESS } from '../../scripts/launcher/temporal.ts';

interface ComposeService {
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  command?: string[];
}

const compose = parse(readFileSync(new URL('docker-compose.yml', projectRoot()), 'utf8'), {
  merge: true,
}) as {
  services: Record<string, ComposeService>;
  configs: Record<string, { content: string }>;
};
const required = {
  POSTGRES_PASSWORD: 'secret',
  PARLEY_MASTER_KEY: Buffer.alloc(32).toString('base64'),
};

/** What compose makes of `${NAME:-default}` and `${NAME:?message}`. */
function interpolate(text: string, environment: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_whole, name: string, kind?: string, rest = '') => {
    const value = environment[name] || (kind === '-' ? rest : undefined);
    assert.notEqual(value, undefined, `${name} has neither a value nor a default`);
    return value ?? '';
  });
}

function environmentOf(name: string, environment: Record<string, string> = required): Record<string, string> {
  const entries = Object.entries(compose.services[name]?.environment ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, interpolate(String(value), environment)]));
}

describe('docker-compose.yml', () => {
  const known = new Set(Object.values(settingDefinitions).map(({ env }) => env));

  for (const name of ['migrate', 'api', 'worker']) {
    describe(`the service ${name}`, () => {
      it('has valid settings with nothing but the two secrets given', () => {
        const settings = loadSettings(environmentOf(name));
        assert.equal(settings.databaseUrl, 'postgres://parley:secret@postgres:5432/parley');
        assert.equal(settings.temporalAddress, 'temporal:7233');
        assert.equal(settings.host, '0.0.0.0');
        assert.equal(settings.port, 3000);
      });

      it('sets variables that the settings know, and passes them on under their own names', () => {
        for (const [variable, value] of Object.entries(compose.services[name]?.environment ?? {})) {
          assert.ok(known.has(variable), variable);
          const [, passed] = /^\$\{(\w+)/.exec(String(value)) ?? [];
          if (passed !== undefined) assert.equal(passed, variable);
        }
      });

      it('repeats the defaults of the settings where it has some', () => {
        const defaults = loadSettings({});
        const settings = loadSettings(environmentOf(name));
        for (const key of [
          'baseUrl',
          'logLevel',
          'trustedProxies',
          'storage',
          's3Region',
          'modelName',
          'mailFrom',
        ] as const) {
          assert.equal(settings[key], defaults[key], key);
        }
      });
    });
  }

  it('has Temporal deal with workspaces as fairly as npm start has it', () => {
    const { temporal } = compose.configs;
    const settings = Object.entries(parse(temporal!.content) as Record<string, { value: boolean }[]>);
    assert.deepEqual(
      settings.map(([name, [given]]) => `${name}=${given?.value}`),
      TEMPORAL_FAIRNESS,
    );
  });

  it('refuses to start without the secrets', () => {
    assert.throws(() => environmentOf('api', {}));
  });

  it('starts the API and the worker on a migrated database, and checks the health of all that can tell', () => {
    for (const name of ['api', 'worker']) {
      assert.equal(
        compose.services[name]?.depends_on?.['migrate']?.condition,
        'service_completed_successfully',
      );
    }
    for (const name of ['postgres', 'temporal', 'api', 'worker'])
      assert.ok(compose.services[name]?.healthcheck, name);
  });
});
