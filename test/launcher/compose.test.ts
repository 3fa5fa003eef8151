import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { settingDefinitions } from '../../core/settings/setting-definitions.ts';
import { loadSettings } from '../../core/settings/settings.ts';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { TEMPORAL_FAIRNESS } from '../../scripts/launcher/temporal.ts';
import { resolveService, composeFile } from '../support/compose-file.ts';

const SECRETS = `POSTGRES_PASSWORD=secret\nPARLEY_MASTER_KEY=${Buffer.alloc(32).toString('base64')}\n`;

const loadServiceSettings = (name: string, more = '') =>
  loadSettings(resolveService(name, { dotEnv: SECRETS + more }).environment);

const known = new Set(Object.values(settingDefinitions).map(({ env }) => env));

for (const name of ['migrate', 'api', 'worker']) {
  describe(`the service ${name} of docker-compose.yml`, () => {
    it('has valid settings with only the two secrets', () => {
      const settings = loadServiceSettings(name);
      assert.equal(settings.databaseUrl, 'postgres://parley:secret@postgres:5432/parley');
      assert.equal(settings.temporalAddress, 'temporal:7233');
      assert.equal(settings.host, '0.0.0.0');
      assert.equal(settings.port, 3000);
    });

    it('listens on the port of the mapping and of the health check, whatever port it is published on', () => {
      const settings = loadServiceSettings(name, 'PORT=8080\nPARLEY_HOST=127.0.0.1\n');
      assert.deepEqual([settings.host, settings.port], ['0.0.0.0', 3000]);
      assert.equal(settings.baseUrl, 'http://localhost:8080');
    });

    it('accepts any setting in .env', () => {
      const settings = loadServiceSettings(name, 'PARLEY_WIDGET_SESSIONS_PER_HOUR=7\nPARLEY_MODEL=mine\n');
      assert.deepEqual([settings.widgetSessionsPerHour, settings.modelName], [7, 'mine']);
    });

    it('prefers variables of the shell to .env', () => {
      const { environment } = resolveService(name, {
        dotEnv: `${SECRETS}PARLEY_MODEL=mine\n`,
        shell: { PARLEY_MODEL: 'the shell’s' },
      });
      assert.equal(loadSettings(environment).modelName, 'the shell’s');
    });

    it('sets only variables that the settings know, and passes them on under their own names', () => {
      for (const [variable, value] of Object.entries(composeFile.services[name]?.environment ?? {})) {
        assert.ok(known.has(variable), variable);
        const [, passed] = /^\$\{(\w+)/.exec(String(value)) ?? [];
        if (passed !== undefined) assert.equal(passed, variable);
      }
    });

    it('uses the defaults of the settings', () => {
      const defaults = loadSettings({});
      const settings = loadServiceSettings(name);
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

describe('docker-compose.yml', () => {
  it('publishes on loopback unless PUBLISH is another address', () => {
    const readServicePorts = (name: string, more = '') =>
      resolveService(name, { dotEnv: SECRETS + more }).ports;
    assert.deepEqual(readServicePorts('api'), ['127.0.0.1:3000:3000']);
    assert.deepEqual(readServicePorts('api', 'PORT=8080\n'), ['127.0.0.1:8080:3000']);
    assert.deepEqual(readServicePorts('api', 'PUBLISH=0.0.0.0\n'), ['0.0.0.0:3000:3000']);
    for (const [name, { ports = [] }] of Object.entries(composeFile.services))
      if (name !== 'api') for (const port of ports) assert.match(port, /^127\.0\.0\.1:/, name);
  });

  it('publishes Temporal’s UI through the gate that checks the host', () => {
    const { 'temporal-ui': ui, 'temporal-ui-gate': uiGate } = composeFile.services;
    assert.equal(ui?.ports, undefined);
    assert.deepEqual(uiGate?.ports, ['127.0.0.1:8233:8233']);
    const [program, script = '', ...args] = uiGate?.command ?? [];
    assert.deepEqual([program, ...args], ['node', '8233', 'temporal-ui:8080']);
    assert.ok(existsSync(new URL(script, projectRoot())), script);
    assert.equal(uiGate?.environment, undefined);
  });

  it('configures Temporal’s fairness among workspaces as npm start does', () => {
    const { temporal } = composeFile.configs;
    const settings = Object.entries(parse(temporal!.content) as Record<string, { value: boolean }[]>);
    assert.deepEqual(
      settings.map(([name, [given]]) => `${name}=${given?.value}`),
      TEMPORAL_FAIRNESS,
    );
  });

  it('has the types that Compose expects: texts, numbers and lists of texts', () => {
    for (const [name, service] of Object.entries(composeFile.services)) {
      const texts = [
        ...(service.healthcheck?.test ?? []),
        ...(service.command ?? []),
        ...(service.ports ?? []),
        ...Object.values(service.depends_on ?? {}).map(({ condition }) => condition),
        ...(service.env_file ?? []).map(({ path }) => path),
      ];
      for (const text of texts) assert.equal(typeof text, 'string', `${name}: ${JSON.stringify(text)}`);
      for (const value of Object.values(service.environment ?? {}))
        assert.match(typeof value, /^(string|number)$/, `${name}: ${JSON.stringify(value)}`);
    }
  });

  it('refuses to start without the secrets', () => {
    assert.throws(() => resolveService('api', {}), /required variable POSTGRES_PASSWORD is missing a value/);
    assert.throws(
      () => resolveService('api', { dotEnv: 'POSTGRES_PASSWORD=x\nPARLEY_MASTER_KEY=\n' }),
      /MASTER_KEY/,
    );
  });

  it('starts the API and the worker on a migrated database, and all health checks succeed', () => {
    for (const name of ['api', 'worker']) {
      assert.equal(
        composeFile.services[name]?.depends_on?.['migrate']?.condition,
        'service_completed_successfully',
      );
    }
    for (const name of ['postgres', 'temporal', 'api', 'worker'])
      assert.ok(composeFile.services[name]?.healthcheck, name);
  });
});
