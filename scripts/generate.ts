import { writeFileSync } from 'node:fs';
import { settingsPage } from './generate/settings-page.ts';
import { projectRoot } from './launcher/project-root.ts';

writeFileSync(new URL('docs/settings.md', projectRoot()), settingsPage());
