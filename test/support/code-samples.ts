import { readFileSync } from 'node:fs';
import type { CodeSample } from '../../api/http/openapi/code-samples.ts';
import { CODE_SAMPLES } from '../../scripts/generate/samples/code-samples.ts';
import { projectRoot } from '../../scripts/launcher/project-root.ts';

/** Code samples of the API reference, by operation id. */
export const codeSamples = JSON.parse(readFileSync(new URL(CODE_SAMPLES, projectRoot()), 'utf8')) as Record<
  string,
  CodeSample[]
>;

export function findCodeSample(operationId: string, label: string): string {
  const sample = codeSamples[operationId]?.find((each) => each.label === label);
  if (!sample) throw new Error(`${operationId} has no sample for ${label}.`);
  return sample.source;
}

/** Builds the source of a module with a function for each code sample of one language. */
export function buildSamplesModule(label: 'TypeScript' | 'Python'): string {
  const isPython = label === 'Python';
  const functions = Object.keys(codeSamples).map((id) => {
    const lines = findCodeSample(id, label).split('\n');
    const body = lines.filter((line) => !/^(import|from) /.test(line)).map((line) => `    ${line}`);
    return isPython
      ? `def ${id}() -> None:\n${body.join('\n')}\n`
      : `export async function ${id}() {\n${body.join('\n')}\n}\n`;
  });
  const imports = isPython
    ? 'import os\nfrom parley import Parley\n'
    : "import { Parley } from 'parley-sdk';\n";
  return `${imports}\n${functions.join('\n')}`;
}
