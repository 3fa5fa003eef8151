import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundleWorkflows } from '../worker/bundle.ts';

const [target] = process.argv.slice(2);
if (!target) throw new Error('Usage: tsx scripts/bundle-workflows.ts <file to write>');
const { code } = await bundleWorkflows();
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, code);
