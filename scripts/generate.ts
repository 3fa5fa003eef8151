import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { shippedVersions } from '../core/api-versions.ts';
import { findBreakingChanges } from './generate/breaking-changes.ts';
import {
  listReleased,
  publishedDocuments,
  renderOpenApiDocument,
  renderPublishedDocument,
  readReleased,
  writeReleased,
} from './generate/openapi-document.ts';
import { CODE_SAMPLES, renderCodeSamples } from './generate/samples/code-samples.ts';
import { buildCurrentDocument, describeDocument } from './generate/sdk/api-description.ts';
import { PYTHON_SDK, generatePythonSdk } from './generate/sdk/python.ts';
import { TYPESCRIPT_SDK, generateTypescriptSdk } from './generate/sdk/typescript.ts';
import { updateBenchTable } from './generate/bench-table.ts';
import { renderFeaturesPage } from './generate/features-page.ts';
import { renderSettingsPage } from './generate/settings-page.ts';
import { updateWorkflowsTable } from './generate/workflows-table.ts';
import { projectRoot } from './launcher/project-root.ts';

writeFileSync(new URL('docs/settings.md', projectRoot()), renderSettingsPage());
writeFileSync(new URL('docs/features.md', projectRoot()), renderFeaturesPage());
const document = buildCurrentDocument();
const api = describeDocument(document);
writeFileSync(new URL(CODE_SAMPLES, projectRoot()), renderCodeSamples(document, api));
for (const [file, operations] of Object.entries(publishedDocuments))
  writeFileSync(new URL(file, projectRoot()), renderPublishedDocument(operations));
replaceFolder(TYPESCRIPT_SDK, generateTypescriptSdk(api));
replaceFolder(PYTHON_SDK, generatePythonSdk(api));
const operating = new URL('docs/operating.md', projectRoot());
writeFileSync(operating, updateWorkflowsTable(readFileSync(operating, 'utf8')));
const benches = new URL('bench/README.md', projectRoot());
writeFileSync(benches, updateBenchTable(readFileSync(benches, 'utf8')));

if (process.argv.includes('--release')) {
  for (const { version } of shippedVersions.all) recordRelease(version);
}

/** Writes the OpenAPI document of a released API version. Fails if the document would break callers of that version. */
function recordRelease(version: string): void {
  const document = renderOpenApiDocument(version);
  const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
  const breaking = listReleased().includes(version)
    ? findBreakingChanges(parse(readReleased(version)), parse(document))
    : [];
  if (breaking.length > 0 && !process.argv.includes('--accept-breaking')) {
    process.stderr.write(
      `These changes break callers of ${version}:\n  ${breaking.join('\n  ')}\nAdd a new dated version in core/api-versions.ts, or accept them: npm run generate -- --release --accept-breaking\n`,
    );
    process.exitCode = 1;
    return;
  }
  writeReleased(version, document);
}

/** Replaces a folder of generated files, so that files that are no longer generated disappear. */
function replaceFolder(name: string, files: Record<string, string>): void {
  const folder = new URL(name, projectRoot());
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries(files)) {
    const target = new URL(file, folder);
    mkdirSync(new URL('.', target), { recursive: true });
    writeFileSync(target, text);
  }
}
