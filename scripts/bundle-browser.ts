import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserFiles, bundleBrowserFile, bundleConsole } from '../api/browser/browser-bundle.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: tsx scripts/bundle-browser.ts <folder to write to>');
const target = join(folder, 'browser');
const scripts = join(target, 'console');
mkdirSync(scripts, { recursive: true });
for (const file of browserFiles) writeFileSync(join(target, file), await bundleBrowserFile(file));
for (const [name, content] of await bundleConsole()) writeFileSync(join(scripts, name), content);
