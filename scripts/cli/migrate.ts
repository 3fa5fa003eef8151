import type { Settings } from '../../core/settings/settings.ts';
import { formatOwnerScreen } from '../launcher/start-screen.ts';
import { registerSearchAttributes } from '../launcher/search-attributes.ts';
import { prepareWorkspace } from '../launcher/workspace.ts';

/**
 * Migrates the database, and registers search attributes in Temporal. If the migration creates the first
 * workspace, shows how its owner signs in.
 */
export async function migrate(settings: Settings, report: (line: string) => void): Promise<void> {
  const { temporalAddress, temporalNamespace } = settings;
  const owner = await prepareWorkspace(settings);
  report('The database is up to date.');
  const ownerScreen = formatOwnerScreen(owner, settings.baseUrl);
  if (ownerScreen !== null) report(ownerScreen);
  if (temporalAddress === undefined) return;
  await registerSearchAttributes(temporalAddress, temporalNamespace);
  report('Temporal is up to date.');
}
