import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildLibrary } from './guides/build-library.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: tsx scripts/build-guides.ts <folder to write to>');
for (const [address, content] of await buildLibrary()) {
  const isPage = !/\.\w+$/.test(address);
  const file = join(folder, 'guides', isPage ? `${address}.html` : address);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
