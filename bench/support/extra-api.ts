import { buildApplicationArguments } from '../../scripts/launcher/application.ts';
import { GuardedProcess } from '../../scripts/launcher/guarded-process.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { waitUntilReady } from '../../scripts/launcher/wait-until-ready.ts';
import type { Installation } from './installation.ts';

export interface ExtraApi {
  url: string;
  stop(): Promise<void>;
}

/** Starts another API process like the one of the installation, on the same database with changed settings. */
export async function startExtraApi(
  { folder, environment }: Installation,
  settings: Record<string, string>,
): Promise<ExtraApi> {
  const [port = 0] = await findFreePorts(1);
  const api = new GuardedProcess({
    name: 'another-api',
    command: process.execPath,
    args: buildApplicationArguments('api'),
    env: { ...process.env, ...environment, ...settings, PORT: String(port) },
    stopSteps: [{ signal: 'SIGTERM', waitMs: 2000 }],
    folder,
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(api, 'Another API', 30_000, async () => void (await fetch(`${url}/api/health`)));
  return { url, stop: () => api.stop() };
}
