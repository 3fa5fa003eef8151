import { mkdirSync, writeFileSync } from 'node:fs';
import { shippedVersions } from '../core/api-versions.ts';
import { openApiDocument, releasedDocument, releasesFolder } from './generate/openapi-document.ts';
import { settingsPage } from './generate/settings-page.ts';
import { projectRoot } from './launcher/project-root.ts';

writeFileSync(new URL('docs/settings.md', projectRoot()), settingsPage());
writeFileSync(new URL('openapi.json', projectRoot()), openApiDocument());

if (process.argv.includes('--release')) {
  mkdirSync(releasesFolder, { recursive: true });
  for (const { version } of shippedVersions.all)
    writeFileSync(releasedDocument(version), openApiDocument(version));
}
