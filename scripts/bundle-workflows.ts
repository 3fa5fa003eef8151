import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameBundle, bundleWorkflows } from '../worker/temporal/bundle.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: tsx scripts/bundle-workflows.ts <folder to write to>');
mkdirSync(folder, { recursive: true });
for (const isTraced of [false, true]) {
  const { code } = await bundleWorkflows({ isTraced });
  writeFileSync(join(folder, nameBundle({ isTraced })), code);
}
