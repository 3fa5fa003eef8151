import { loadSettings } from '../core/settings/settings.ts';
import { ParleyHome } from '../scripts/launcher/parley-home.ts';
import { startTemporaryParley } from '../scripts/launcher/temporary-parley.ts';
import { ParleyClient, RequestRefused } from './parley-client.ts';
import { faint, print } from './terminal.ts';

/** The Parley that the demo uses. */
export interface Stage {
  client: ParleyClient;
  /** Whether the demo started this Parley. */
  isTemporary: boolean;
  /** API key of a temporary Parley. */
  apiKey?: string;
  stop(): Promise<void>;
}

export interface StageOptions {
  url?: string | undefined;
  key?: string | undefined;
  /** URL of the demo's webhook receiver on this machine, which Parley must be able to reach. */
  receiverUrl: string;
  signal: AbortSignal;
}

const KEY_LIFETIME_MS = 3_600_000;
const SCOPES = ['bots:write', 'knowledge:write', 'conversations:read', 'webhooks:write'];

/** Returns the Parley at the given URL, the Parley that runs with `PARLEY_HOME`, or a temporary one. */
export async function findParley({ url, key, receiverUrl, signal }: StageOptions): Promise<Stage> {
  if (url !== undefined && key !== undefined) {
    const client = new ParleyClient(url.replace(/\/$/, ''), key, signal);
    if (await canReach(client, receiverUrl)) return { client, isTemporary: false, stop: async () => {} };
    throw new Error(`${client.baseUrl} may not call servers on this machine. ${HOW_TO_ALLOW}`);
  }
  const running = await connectToRunningParley(signal);
  if (running && (await canReach(running, receiverUrl))) {
    print(`Using the Parley that runs at ${running.baseUrl}, with an API key that expires in an hour.`);
    return { client: running, isTemporary: false, stop: async () => {} };
  }
  if (running) {
    print(`The Parley at ${running.baseUrl} may not call servers on this machine, but the demo needs this.`);
    print(HOW_TO_ALLOW);
    print('For now, the demo starts a Parley of its own.');
  } else print('No Parley is running here, so the demo starts one of its own.');
  const { baseUrl, temporalUi, apiKey, stop } = await startTemporaryParley({
    signal,
    report: (line) => print(faint(line)),
  });
  print(`It runs at ${baseUrl}; its workflows are shown at ${temporalUi}.`);
  return { client: new ParleyClient(baseUrl, apiKey, signal), isTemporary: true, apiKey, stop };
}

const HOW_TO_ALLOW = 'To let the demo use that Parley, start it with PARLEY_OUTBOUND_ALLOW=127.0.0.0/8.';

async function connectToRunningParley(signal: AbortSignal): Promise<ParleyClient | undefined> {
  const environment = new ParleyHome(loadSettings(process.env).home).readRunningEnvironment();
  if (!('PORT' in environment)) return undefined;
  const { createKey } = await import('../scripts/cli/create-key.ts');
  const settings = loadSettings({ ...environment, ...process.env });
  const expiresAt = new Date(Date.now() + KEY_LIFETIME_MS);
  const key = await createKey(settings, { name: 'Demo', scopes: SCOPES, expiresAt });
  return new ParleyClient(`http://localhost:${environment['PORT']}`, key, signal);
}

/** Checks whether Parley can reach the demo's receiver: creates and deletes a webhook, whose address Parley checks. */
async function canReach(client: ParleyClient, receiverUrl: string): Promise<boolean> {
  try {
    const trial = await client.call<{ id: string }>('POST', '/api/webhooks', { url: receiverUrl });
    await client.call('DELETE', `/api/webhooks/${trial.id}`);
    return true;
  } catch (error) {
    if (error instanceof RequestRefused && error.code === 'url_refused') return false;
    throw error;
  }
}
