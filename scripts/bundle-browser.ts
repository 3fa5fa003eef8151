import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserFiles, bundleBrowserFile, bundleConsole, bundleWidgetParts } from '../web/browser-bundle.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: tsx scripts/bundle-browser.ts <folder to write to>');
const target = join(folder, 'browser');
mkdirSync(target, { recursive: true });
for (const file of browserFiles) writeFileSync(join(target, file), await bundleBrowserFile(file));
writeFiles('console', await bundleConsole());
writeFiles('widget', await bundleWidgetParts());

function writeFiles(folderName: string, contents: Map<string, Buffer>): void {
  mkdirSync(join(target, folderName), { recursive: true });
  for (const [name, content] of contents) writeFileSync(join(target, folderName, name), content);
}
