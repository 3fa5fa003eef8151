import type { Settings } from '../../core/settings/settings.ts';
import { formatOwnerScreen } from '../launcher/screen.ts';
import { registerSearchAttributes } from '../launcher/search-attributes.ts';
import { prepareWorkspace } from '../launcher/workspace.ts';

/** Migrates the database and Temporal. If this creates the first workspace, shows how its owner signs in. */
export async function migrate(settings: Settings, say: (line: string) => void): Promise<void> {
  const { temporalAddress, temporalNamespace } = settings;
  const owner = await prepareWorkspace(settings);
  say('The database is up to date.');
  if (owner.created) say(formatOwnerScreen(owner));
  if (temporalAddress === undefined) return;
  await registerSearchAttributes(temporalAddress, temporalNamespace);
  say('Temporal is up to date.');
}
