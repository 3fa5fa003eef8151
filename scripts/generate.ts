import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { shippedVersions } from '../core/api-versions.ts';
import { breakingChanges } from './generate/breaking-changes.ts';
import { openApiDocument, releasedDocument, releasesFolder } from './generate/openapi-document.ts';
import { describeApi } from './generate/sdk/api-description.ts';
import { TYPESCRIPT_SDK, typescriptSdk } from './generate/sdk/typescript.ts';
import { settingsPage } from './generate/settings-page.ts';
import { withWorkflowsTable } from './generate/workflows-table.ts';
import { projectRoot } from './launcher/project-root.ts';

writeFileSync(new URL('docs/settings.md', projectRoot()), settingsPage());
writeFileSync(new URL('openapi.json', projectRoot()), openApiDocument());
for (const [name, text] of Object.entries(typescriptSdk(describeApi())))
  writeFileSync(new URL(`${TYPESCRIPT_SDK}${name}`, projectRoot()), text);
const operating = new URL('docs/operating.md', projectRoot());
writeFileSync(operating, withWorkflowsTable(readFileSync(operating, 'utf8')));

if (process.argv.includes('--release')) {
  mkdirSync(releasesFolder, { recursive: true });
  for (const { version } of shippedVersions.all) release(version);
}

/** Records the document of a version; one that would break its callers is none of that version. */
function release(version: string): void {
  const place = releasedDocument(version);
  const document = openApiDocument(version);
  const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
  const breaking = existsSync(place)
    ? breakingChanges(parse(readFileSync(place, 'utf8')), parse(document))
    : [];
  if (breaking.length > 0 && !process.argv.includes('--accept-breaking')) {
    process.stderr.write(
      `Callers of ${version} would notice:\n  ${breaking.join('\n  ')}\nMake it a new dated version in core/api-versions.ts, or accept it: npm run generate -- --release --accept-breaking\n`,
    );
    process.exitCode = 1;
    return;
  }
  writeFileSync(place, document);
}
