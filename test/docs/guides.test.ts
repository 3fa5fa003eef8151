import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { openSharedBrowser } from '../support/browser.ts';
import { assertOutput, findOutputEnd } from '../support/guides/expected-output.ts';
import {
  GuideError,
  parseGuideBlocks,
  planGuideSteps,
  type GuideStep,
} from '../support/guides/guide-blocks.ts';
import { GuideBrowser } from '../support/guides/guide-browser.ts';
import { GuideShell } from '../support/guides/guide-shell.ts';
import { prepareMachine, type MachinePrograms } from '../support/guides/machine.ts';
import { applySubstitutes, packSdks, type GuidePorts, type Packages } from '../support/guides/substitutes.ts';
import { installCaddy } from '../support/caddy.ts';
import { installPostgresClients } from '../support/postgres-clients.ts';
import { listSourceFiles } from '../support/source-files.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

const guides = listSourceFiles(['docs/guides'], /\.md$/).filter((path) => basename(path) !== 'README.md');

/**
 * Guides that every test run executes, since they cover most of the product in the least time; `npm run
 * test:soak` runs the other guides.
 */
const FIRST_GUIDES = ['quickstart-curl.md', 'quickstart-typescript.md', 'quickstart-python.md', 'widget.md'];

/**
 * Time limit in milliseconds for the test of a guide. Some guides start separate Parleys, while the other
 * tests of a run need CPU time.
 */
const MAX_GUIDE_MS = 600_000;

describe('the guides: each block is run, or written and used, or compared with the output', () => {
  let parley: TestParleyWithWorker;
  let packages: Packages;
  let programs: MachinePrograms;
  before(async function () {
    // Allow more time, because a machine without these programs first downloads and builds them.
    this.timeout(MAX_GUIDE_MS);
    programs = { postgresql: await installPostgresClients(), caddy: await installCaddy() };
    packages = packSdks(join(makeTemporaryFolder(), 'packages'));
    const [port] = await findFreePorts(1);
    // Choose the port before the start, because snippets and links in the guides name it.
    parley = await startParleyWithWorker({ PORT: String(port) });
  });
  after(() => parley?.stop());

  for (const guide of guides) {
    const register = FIRST_GUIDES.includes(basename(guide)) ? it : itInSoak;
    register(guide, async function () {
      this.timeout(MAX_GUIDE_MS);
      const steps = planGuideSteps(parseGuideBlocks(readFileSync(guide, 'utf8')));
      if (steps.some(({ kind }) => kind === 'visit') && !(await openSharedBrowser())) return this.skip();
      const { key: apiKey } = await parley.buildOrg();
      const ports = await guidePorts();
      const databaseUrl = parley.runtime.settings.databaseUrl ?? '';
      const root = makeTemporaryFolder();
      const world = { baseUrl: parley.baseUrl, apiKey, packages, ports, databaseUrl, root };
      const shell = new GuideShell(join(root, 'work'), prepareMachine(world, programs));
      const browser = new GuideBrowser();
      try {
        for (const step of steps)
          await take({ shell, browser }, step, (said) => applySubstitutes(said, world));
      } finally {
        await Promise.all([shell.end(), browser.close()]);
      }
    });
  }
});

async function guidePorts(): Promise<GuidePorts> {
  const [receiver = 0, site = 0, parley = 0, database = 0, ...others] = await findFreePorts(8);
  const [temporal = 0, temporalUi = 0, http = 0, https = 0] = others;
  return { receiver, site, parley, database, temporal, temporalUi, http, https };
}

/** The shell and the browser of a reader of the guides. */
interface ReaderDesk {
  shell: GuideShell;
  browser: GuideBrowser;
}

async function take(
  { shell, browser }: ReaderDesk,
  step: GuideStep,
  meaning: (said: string) => string,
): Promise<void> {
  const { block } = step;
  const code = meaning(block.code);
  try {
    if (step.kind === 'write') await shell.write(step.title, code);
    else if (step.kind === 'start') await shell.start(step.terminal, code);
    else if (step.kind === 'watch')
      await shell.watch(step.terminal, (printed) => findOutputEnd({ ...block, code }, printed));
    else if (step.kind === 'stop') await shell.stop(step.terminal);
    else if (step.kind === 'visit') await browser.visit(meaning(step.page), code);
    else {
      const printed = await shell.run(code);
      const { output } = step;
      if (output) assertOutput({ ...output, code: meaning(output.code) }, printed);
    }
  } catch (error) {
    throw new GuideError(block.line, error instanceof Error ? error.message : String(error));
  }
}
