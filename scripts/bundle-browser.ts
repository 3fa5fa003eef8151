import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserFiles, bundleBrowserFile } from '../api/browser/browser-bundle.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: tsx scripts/bundle-browser.ts <folder to write to>');
const target = join(folder, 'browser');
mkdirSync(target, { recursive: true });
for (const file of browserFiles) writeFileSync(join(target, file), await bundleBrowserFile(file));
