import { rmSync } from 'node:fs';
import { generateApiKey } from '../../adapters/keys/api-key.ts';
import { waitUntilGone } from '../../scripts/launcher/process-identity.ts';
import { LaunchedParley, findPortSettings } from '../support/launched-parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { SETTINGS_FOR_LOAD, WebhooksUnderLoad } from '../webhooks/under-load.ts';

describe('webhooks under load', () => {
  const home = makeTemporaryFolder();
  let parley: LaunchedParley;
  let webhooks: WebhooksUnderLoad;

  before(async () => {
    const apiKey = generateApiKey();
    parley = LaunchedParley.launch(home, {
      ...(await findPortSettings()),
      ...SETTINGS_FOR_LOAD,
      PARLEY_BOOTSTRAP_API_KEY: apiKey,
      PARLEY_LOG_LEVEL: 'info',
    });
    await parley.waitForOutput('Press Ctrl-C to stop.');
    webhooks = await WebhooksUnderLoad.on(parley, apiKey);
  });

  afterEach(async function () {
    if (this.currentTest?.isFailed()) await webhooks.report();
  });

  after(async () => {
    parley.signal('SIGTERM');
    await waitUntilGone(parley.listRunningProcesses(), 15_000);
    await webhooks.close();
    rmSync(home, { recursive: true, force: true });
  });

  for (const [name, label] of [
    ['api', 'The API'],
    ['worker', 'The worker'],
    ['temporal', 'Temporal'],
    ['postgres', 'PostgreSQL'],
  ] as const) {
    it(`are all delivered after kill -9 of ${label.replace('The', 'the')}, and only deliveries in progress are repeated`, () =>
      webhooks.assertSurvivesKill(name, label));
  }
});
