import assert from 'node:assert/strict';
import { ALERT_PRICES_FORM } from '../../core/alerts/alert-prices.ts';
import type { SettingDefinition } from '../../core/settings/setting-definition.ts';
import { settingDefinitions } from '../../core/settings/setting-definitions.ts';
import { loadSettings, SettingsError } from '../../core/settings/settings.ts';

function listProblems(env: Record<string, string>): string[] {
  try {
    loadSettings(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    return error.problems;
  }
}

describe('the settings', () => {
  it('have defaults, and parse numbers and booleans from text', () => {
    const settings = loadSettings({ PORT: '8080', PARLEY_DEMO_PAGE: 'true' });
    assert.equal(settings.port, 8080);
    assert.equal(settings.demoPage, true);
    assert.equal(settings.baseUrl, 'http://localhost:8080');
    assert.equal(settings.databasePort, 5433);
    assert.equal(settings.databaseUrl, undefined);
  });

  it('treat an empty variable as absent', () => {
    assert.equal(loadSettings({ PORT: '', PARLEY_MODEL: '' }).port, 3000);
  });

  it('name every unknown PARLEY_ variable, and ignore other variables', () => {
    assert.deepEqual(listProblems({ PARLEY_PORT: '1', PARLEY_X: '', OTHER: 'x' }), [
      'PARLEY_PORT is not a setting of Parley; docs/settings.md lists all settings.',
      'PARLEY_X is not a setting of Parley; docs/settings.md lists all settings.',
    ]);
  });

  it('refuse a variable for a fixed value, but accept the value from code', () => {
    assert.deepEqual(listProblems({ PARLEY_FLOWS_PER_BOT: '1' }), [
      'PARLEY_FLOWS_PER_BOT is not a setting of Parley; docs/settings.md lists all settings.',
    ]);
    assert.equal(loadSettings({}).flowsPerBot, 50);
    assert.equal(loadSettings({}, { flowsPerBot: 1 }).flowsPerBot, 1);
  });

  it('ignore variables that the SDKs and the command line read', () => {
    assert.deepEqual(
      listProblems({ PARLEY_URL: 'http://localhost:3000', PARLEY_API_KEY: 'parley_live_x' }),
      [],
    );
  });

  for (const [name, value, problem] of [
    ['PORT', 'eighty', 'PORT must be a whole number.'],
    ['PORT', '65536', 'PORT must be at most 65535.'],
    ['PARLEY_DATABASE_POOL', '1', 'PARLEY_DATABASE_POOL must be at least 2.'],
    [
      'PARLEY_MODEL_PRICES',
      '{"m":1}',
      'PARLEY_MODEL_PRICES must be JSON like {"model":{"input":0.15,"output":0.6}}.',
    ],
    ['PARLEY_ALERT_PRICES', '{"whatsapp":{"Germany":1}}', ALERT_PRICES_FORM],
    [
      'PARLEY_OUTBOUND_ALLOW',
      '10.0.0.0/33',
      'PARLEY_OUTBOUND_ALLOW contains "10.0.0.0/33", which is not a CIDR such as 10.1.0.0/16.',
    ],
    [
      'PARLEY_WORKER_QUEUES',
      'default, ingestions',
      'PARLEY_WORKER_QUEUES contains "ingestions" (did you mean ingestion?); a worker can serve default, ingestion, embeddings, models, webhooks, dispatcher, outbox, mail, alerts, calendar, billing, archives.',
    ],
    ['PARLEY_STORAGE', 's3', 'PARLEY_S3_BUCKET must be set when PARLEY_STORAGE is s3.'],
  ] as const) {
    it(`refuse ${name}=${value}`, () => {
      assert.deepEqual(listProblems({ [name]: value }), [problem]);
    });
  }

  for (const [name, value, form] of [
    [
      'PARLEY_BASE_URL',
      'localhost:3400',
      'an address with http:// or https:// and without a path, such as https://parley.example.com',
    ],
    ['PARLEY_SMTP_URL', 'smtp.example.com', 'a URL such as smtps://user:password@smtp.example.com'],
    ['PARLEY_MASTER_KEY', 'hello', '32 bytes in base64, like masterKey in secrets.json'],
    ['PARLEY_BOOTSTRAP_API_KEY', 'mykey', 'a key that `npm run parley -- create-key --print-only` prints'],
    ['PARLEY_REGISTRATION', 'closed', 'one of open, invited'],
  ] as const)
    it(`refuse ${name}=${value} with a description of valid values`, () => {
      assert.deepEqual(listProblems({ [name]: value }), [`${name} must be ${form}.`]);
    });

  it('describe every pattern and every list of values in words', () => {
    for (const { env, schema } of Object.values(settingDefinitions) as SettingDefinition[]) {
      if (!schema['pattern'] && !schema['anyOf']) continue;
      const problems = listProblems({ [env]: '\t' });
      assert.ok(problems.length > 0, env);
      for (const problem of problems) assert.doesNotMatch(problem, /must match/, env);
    }
  });

  it('refuse malformed secrets and URLs with the name of the variable', () => {
    const bad = {
      PARLEY_MASTER_KEY: 'short',
      DATABASE_URL: 'mysql://x',
      TEMPORAL_ADDRESS: 'nowhere',
      PARLEY_BASE_URL: 'http://x/',
    };
    const problems = listProblems(bad);
    assert.equal(problems.length, 4);
    for (const name of Object.keys(bad))
      assert.ok(
        problems.some((problem) => problem.startsWith(`${name} `)),
        name,
      );
  });
});
