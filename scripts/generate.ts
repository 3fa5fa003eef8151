import { writeFileSync } from 'node:fs';
import { openApiDocument } from './generate/openapi-document.ts';
import { settingsPage } from './generate/settings-page.ts';
import { projectRoot } from './launcher/project-root.ts';

writeFileSync(new URL('docs/settings.md', projectRoot()), settingsPage());
writeFileSync(new URL('openapi.json', projectRoot()), openApiDocument());
