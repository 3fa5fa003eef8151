import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { assertOutput, endOfOutput } from '../support/guides/expected-output.ts';
import { GuideError, guideBlocks, guideSteps, type GuideStep } from '../support/guides/guide-blocks.ts';
import { GuideShell } from '../support/guides/guide-shell.ts';
import { asMeant, packSdks, readersEnvironment, type Packages } from '../support/guides/substitutes.ts';
import { sourceFiles } from '../support/source-files.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

const guides = sourceFiles(['docs/guides'], /\.md$/).filter((path) => basename(path) !== 'README.md');

describe('The guides: each block is run, or written and used, or is what was printed', () => {
  let parley: TestParleyWithWorker;
  let packages: Packages;
  before(async () => {
    packages = packSdks(join(makeTemporaryFolder(), 'packages'));
    parley = await startParleyWithWorker();
  });
  after(() => parley?.stop());

  for (const guide of guides)
    it(guide, async () => {
      const steps = guideSteps(guideBlocks(readFileSync(guide, 'utf8')));
      const { key: apiKey } = await parley.buildOrg();
      const world = { baseUrl: parley.baseUrl, apiKey, packages };
      const folder = makeTemporaryFolder();
      const shell = new GuideShell(join(folder, 'work'), readersEnvironment(join(folder, 'home')));
      try {
        for (const step of steps) await take(shell, step, (said) => asMeant(said, world));
      } finally {
        await shell.end();
      }
    });
});

async function take(shell: GuideShell, step: GuideStep, meaning: (said: string) => string): Promise<void> {
  const { block } = step;
  const code = meaning(block.code);
  try {
    if (step.kind === 'write') await shell.write(step.title, code);
    else if (step.kind === 'start') await shell.start(step.terminal, code);
    else if (step.kind === 'watch')
      await shell.watch(step.terminal, (printed) => endOfOutput({ ...block, code }, printed));
    else {
      const printed = await shell.run(code);
      const { output } = step;
      if (output) assertOutput({ ...output, code: meaning(output.code) }, printed);
    }
  } catch (error) {
    throw new GuideError(block.line, error instanceof Error ? error.message : String(error));
  }
}
