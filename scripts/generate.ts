import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { shippedVersions } from '../core/api-versions.ts';
import { breakingChanges } from './generate/breaking-changes.ts';
import {
  listReleased,
  openApiDocument,
  publishedDocument,
  readReleased,
  writeReleased,
} from './generate/openapi-document.ts';
import { CODE_SAMPLES, codeSamplesText } from './generate/samples/code-samples.ts';
import { currentDocument, describeDocument } from './generate/sdk/api-description.ts';
import { PYTHON_SDK, pythonSdk } from './generate/sdk/python.ts';
import { TYPESCRIPT_SDK, typescriptSdk } from './generate/sdk/typescript.ts';
import { withBenchTable } from './generate/bench-table.ts';
import { featuresPage } from './generate/features-page.ts';
import { settingsPage } from './generate/settings-page.ts';
import { withWorkflowsTable } from './generate/workflows-table.ts';
import { projectRoot } from './launcher/project-root.ts';

writeFileSync(new URL('docs/settings.md', projectRoot()), settingsPage());
writeFileSync(new URL('docs/features.md', projectRoot()), featuresPage());
const document = currentDocument();
const api = describeDocument(document);
writeFileSync(new URL(CODE_SAMPLES, projectRoot()), codeSamplesText(document, api));
writeFileSync(new URL('openapi.json', projectRoot()), publishedDocument());
writeFolder(TYPESCRIPT_SDK, typescriptSdk(api));
writeFolder(PYTHON_SDK, pythonSdk(api));
const operating = new URL('docs/operating.md', projectRoot());
writeFileSync(operating, withWorkflowsTable(readFileSync(operating, 'utf8')));
const benches = new URL('bench/README.md', projectRoot());
writeFileSync(benches, withBenchTable(readFileSync(benches, 'utf8')));

if (process.argv.includes('--release')) {
  for (const { version } of shippedVersions.all) release(version);
}

/** Records the OpenAPI document of a version; refuses one that would break callers of that version. */
function release(version: string): void {
  const document = openApiDocument(version);
  const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
  const breaking = listReleased().includes(version)
    ? breakingChanges(parse(readReleased(version)), parse(document))
    : [];
  if (breaking.length > 0 && !process.argv.includes('--accept-breaking')) {
    process.stderr.write(
      `Callers of ${version} would notice:\n  ${breaking.join('\n  ')}\nMake it a new dated version in core/api-versions.ts, or accept it: npm run generate -- --release --accept-breaking\n`,
    );
    process.exitCode = 1;
    return;
  }
  writeReleased(version, document);
}

/** Replaces a folder, so that files that are no longer generated disappear. */
function writeFolder(name: string, files: Record<string, string>): void {
  const folder = new URL(name, projectRoot());
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries(files)) {
    const place = new URL(file, folder);
    mkdirSync(new URL('.', place), { recursive: true });
    writeFileSync(place, text);
  }
}
