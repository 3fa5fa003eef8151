import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { buildPassage } from '../support/knowledge.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { terminal } from './command-line.ts';

const CSV = 'question,expects,words\nWhat does a day pass cost?,answer,£9\nDo you sell hats?,answer,\n';

describe('`parley test-sets`', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  async function buildTerminal() {
    const { key, orgId, client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk', strict_kb_mode: true });
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs £9 in every season.');
    const file = join(makeTemporaryFolder(), 'questions.csv');
    writeFileSync(file, CSV);
    const shell = terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key });
    const imported = await shell.run(['test-sets', 'import', bot.id, 'Prices', file]);
    const [id = ''] = imported.out.split(' ');
    return { ...shell, bot, file, id, imported };
  }

  it('import creates a set, and adds nothing when it is repeated', async () => {
    const { run, bot, file, id, imported } = await buildTerminal();
    assert.deepEqual(imported, { code: exitCodes.done, out: `${id}  2 questions\n`, err: '' });
    assert.deepEqual(await run(['test-set', 'import', bot.id, 'Prices', file]), imported);
    assert.deepEqual(await run(['test-sets', 'list', bot.id]), {
      code: exitCodes.done,
      out: `${id}  Prices  2 questions  not run yet\n`,
      err: '',
    });
  });

  it('import of a refused file leaves no new set behind, and keeps an existing set', async () => {
    const { run, bot, file, id } = await buildTerminal();
    writeFileSync(file, 'question,expects\nHats?,maybe\n');
    for (const name of ['Prices', 'Hats']) {
      const { code, err } = await run(['test-sets', 'import', bot.id, name, file]);
      assert.equal(code, exitCodes.refused);
      assert.match(err, /^csv row 2: expects must be one of answer, refusal, handoff /);
    }
    assert.equal((await run(['test-sets', 'list', bot.id])).out, `${id}  Prices  2 questions  not run yet\n`);
  });

  it('run names the command that lists ids if no set has the given id', async () => {
    const { run, bot } = await buildTerminal();
    for (const wrong of ['Prices', bot.id]) {
      const { err } = await run(['test-sets', 'run', bot.id, wrong]);
      assert.match(err, / See parley test-sets list <bot_id>\.\n$/);
    }
  });

  it('run names the operation that lists versions, for a version that the bot does not have', async () => {
    const { run, bot, id } = await buildTerminal();
    const { code, err } = await run(['test-sets', 'run', bot.id, id, '--version', '99']);
    assert.equal(code, exitCodes.notFound);
    assert.match(
      err,
      /^There is no such version\. \(not_found, \w+\) See parley api listBotVersions <bot_id>\.\n$/,
    );
    const { out } = await run(['api', 'listBotVersions', bot.id]);
    assert.ok(Array.isArray(JSON.parse(out)) || 'items' in JSON.parse(out));
  });

  it('run lists the failed questions, and fails if fewer questions pass than --bar requires', async () => {
    const { run, bot, id } = await buildTerminal();
    const failed = await run(['test-sets', 'run', bot.id, id]);
    assert.equal(failed.code, exitCodes.refused);
    assert.match(failed.out, /^✗ Do you sell hats\?\n {2}not answered: .+\n1 of 2 passed\n$/);
    assert.match(failed.err, /Fewer than 100% of the answers passed\.\n$/);
    const passed = await run(['test-sets', 'run', bot.id, id, '--bar', '50']);
    assert.equal(passed.code, exitCodes.done);
  });

  for (const bar of ['0', '101', 'most'])
    it(`run refuses --bar ${bar} before it starts a run`, async () => {
      const { run, bot, id } = await buildTerminal();
      assert.equal((await run(['test-sets', 'run', bot.id, id, '--bar', bar])).code, exitCodes.usage);
      assert.match((await run(['test-sets', 'list', bot.id])).out, /not run yet/);
    });
});
