import { loadSettings, SettingsError } from '../../core/settings/settings.ts';
import { LaunchError } from './launch-error.ts';
import type { PreparationReply } from './preparation.ts';
import { prepareWorkspace } from './workspace.ts';

// Program of the child process that `preparation.ts` starts. It receives environment variables from the
// launcher, prepares the database and exits.
process.once('message', (environment: Record<string, string>) => void reply(environment));
process.once('disconnect', () => process.exit());

async function reply(environment: Record<string, string>): Promise<void> {
  const answer = await prepareSafely(environment);
  process.send?.(answer, undefined, undefined, () => process.disconnect());
}

async function prepareSafely(environment: Record<string, string>): Promise<PreparationReply> {
  try {
    return { owner: await prepareWorkspace(loadSettings({ ...process.env, ...environment }), true) };
  } catch (error) {
    const { message, stack } = error as Error;
    const isExpected = error instanceof SettingsError || error instanceof LaunchError;
    return { problem: message, ...(!isExpected && stack !== undefined && { stack }) };
  }
}
