import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { terminal } from './command-line.ts';

describe('`parley`', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function buildTerminal() {
    const { key, ...org } = await parley.buildOrg();
    return { ...org, ...terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key }) };
  }

  it('bots create takes fields from --set and --body, and --set takes precedence', async () => {
    const { run, json, home } = await buildTerminal();
    const prompt = join(home, 'prompt.txt');
    writeFileSync(prompt, 'You are a mechanic.\n');
    const { code, out } = await run(
      [
        'bots',
        'create',
        'Shop',
        '--body',
        '-',
        '--set',
        'temperature=0.5',
        '--set',
        `system_prompt=@${prompt}`,
      ],
      { piped: '{"temperature": 0.1, "language": "pt"}' },
    );
    assert.equal(code, exitCodes.done);
    const bot = await json(['bots', 'show', out.trim()]);
    assert.deepEqual(
      [bot['name'], bot['status'], bot['temperature'], bot['language'], bot['system_prompt']],
      ['Shop', 'draft', 0.5, 'pt', 'You are a mechanic.\n'],
    );
  });

  it('bots show can also be called bots get, and writes one field per line', async () => {
    const { run } = await buildTerminal();
    const id = (await run(['bots', 'create', 'Shop'])).out.trim();
    const shown = await run(['bots', 'show', id]);
    assert.match(shown.out, new RegExp(`^id +"${id}"\n[^]*^name +"Shop"$`, 'm'));
    assert.deepEqual(await run(['bots', 'get', id]), shown);
  });

  it('bots update changes only the named fields', async () => {
    const { run, json } = await buildTerminal();
    const id = (await run(['bots', 'create', 'Shop', '--set', 'welcome_message=Hello'])).out.trim();
    assert.deepEqual(await run(['bots', 'update', id, '--name', 'Harbour', '--status', 'active']), {
      code: exitCodes.done,
      out: `${id}  active  Harbour\n`,
      err: '',
    });
    const changed = await json(['bots', 'update', id, '--set', 'strict_kb_mode=true']);
    assert.deepEqual(
      [changed['name'], changed['strict_kb_mode'], changed['welcome_message']],
      ['Harbour', true, 'Hello'],
    );
  });

  it('bots update is refused without a change, or with an invalid change', async () => {
    const { run } = await buildTerminal();
    const id = (await run(['bots', 'create', 'Shop'])).out.trim();
    assert.deepEqual(await run(['bots', 'update', id]), {
      code: exitCodes.usage,
      out: '',
      err: 'Nothing to change: add --name, --status, --set or --body.\n',
    });
    for (const [option, err] of [
      ['--set=shade', '--set must be <name=value>, not shade.\n'],
      ['--body=[1]', 'The body must be an object of fields, such as {"name": "Shop"}.\n'],
    ] as const)
      assert.deepEqual(await run(['bots', 'update', id, option]), { code: exitCodes.usage, out: '', err });
    const unknown = await run(['bots', 'update', id, '--set', 'colour=red']);
    assert.equal(unknown.code, exitCodes.refused);
    assert.match(unknown.err, /^colour is not a known field \(validation_error, req_\w+\)\n$/);
  });

  it('bots create and bots update explain how to write a list with --set', async () => {
    const { run, json } = await buildTerminal();
    const hint = `Write a list as JSON: --set 'starter_questions=["first", "second"]'.`;
    const text = await run(['bots', 'create', 'Shop', '--set', 'starter_questions=Open?']);
    assert.match(
      text.err,
      /^starter_questions must be a list\. Write a list .+ \(validation_error, req_\w+\)\n$/,
    );
    assert.ok(text.err.includes(hint), text.err);
    const twice = ['--set', 'starter_questions=Open?', '--set', 'starter_questions=Price?'];
    assert.deepEqual(await run(['bots', 'create', 'Shop', ...twice]), {
      code: exitCodes.usage,
      out: '',
      err: `--set contains starter_questions twice. ${hint}\n`,
    });
    assert.deepEqual(await run(['bots', 'create', 'Shop', '--set', 'widget_theme.position=left']), {
      code: exitCodes.usage,
      out: '',
      err: `--set does not accept the field widget_theme.position. Write an object as JSON: --set 'widget_theme={"position": …}'.\n`,
    });
    const bot = await json(['bots', 'create', 'Shop', '--set', 'starter_questions=["Open?", "Price?"]']);
    assert.deepEqual(bot['starter_questions'], ['Open?', 'Price?']);
    assert.match(
      (await run(['bots', 'update', '--help'])).out,
      /'starter_questions=\["Open\?", "Price\?"\]'/,
    );
  });

  it('bots delete removes a bot, and refuses an unknown bot', async () => {
    const { run } = await buildTerminal();
    const id = (await run(['bots', 'create', 'Shop'])).out.trim();
    const deleted = await run(['bots', 'delete', id]);
    assert.deepEqual([deleted.code, deleted.err], [exitCodes.done, '']);
    assert.match(deleted.out, /^The bot is deleted; .+\.\n$/);
    assert.equal((await run(['bots', 'delete', id])).code, exitCodes.notFound);
  });

  for (const [args, note] of [
    [['bots', 'list'], 'There are no bots.\n'],
    [['conversations', 'list'], 'There are no conversations.\n'],
    [['flows', 'list'], 'There are no flows.\n'],
    [['webhooks', 'list'], 'There are no endpoints.\n'],
    [['webhooks', 'deliveries'], 'There are no deliveries.\n'],
  ] as const)
    (args[0] === 'bots' ? it : itInSoak)(
      `${args.join(' ')} writes nothing to stdout for an empty list, and a note only to a terminal`,
      async () => {
        const { run } = await buildTerminal();
        assert.deepEqual(await run([...args]), { code: exitCodes.done, out: '', err: '' });
        assert.deepEqual(await run([...args], { isTerminal: true }), {
          code: exitCodes.done,
          out: '',
          err: note,
        });
        assert.equal((await run([...args, '--json'])).out, '[]\n');
      },
    );

  it('conversations list shows state, start, bot, visitor and first words', async () => {
    const { key, client, session, bot, visitor, path } = await buildSession(parley);
    const { run } = terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key });
    await visitor.post(`${path}/messages`, {
      content: `What does\na day pass cost? ${'I wonder. '.repeat(9)}`,
    });
    const { started_at: startedAt, visitor_id: visitorId } = (
      await client.get(`/api/conversations/${session.session_id}`)
    ).body;
    const start = startedAt.replace(/\.\d+Z$/, 'Z');
    const words = 'What does a day pass cost? I wonder. I wonder. I wonder. I…';
    assert.deepEqual(await run(['conversations', 'list', '--bot', bot.id]), {
      code: exitCodes.done,
      out: `${session.session_id}  active  ${start}  Help desk  ${visitorId}  ${words}\n`,
      err: '',
    });
  });

  itInSoak('conversations list names the bot by its id for a key that may not read bots', async () => {
    const { orgId, session, bot } = await buildSession(parley);
    const { key } = await parley.buildOrg({ orgId, scopes: ['conversations:read'] });
    const { run } = terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key });
    const { out } = await run(['conversations', 'list']);
    assert.match(out, new RegExp(`^${session.session_id}  active  \\S+Z  ${bot.id}  `));
  });
});
