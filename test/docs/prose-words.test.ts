import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { scopes } from '../../api/http/access/scopes.ts';
import { settingDefinitions } from '../../core/settings/setting-definitions.ts';
import { commandUsages } from '../../scripts/cli/command-line.ts';
import { commands } from '../../sdk/typescript/src/cli/commands.ts';
import {
  apiWords,
  eventNames,
  inputWords,
  isApiPath,
  operationIds,
  sdkMethods,
} from '../support/prose/api-words.ts';
import { isInPublicSource, isInSource } from '../support/prose/source-words.ts';
import { listSourceFiles } from '../support/source-files.ts';

const PAGES = [
  'README.md',
  'sdk/typescript/README.md',
  'sdk/python/README.md',
  ...listSourceFiles(['docs'], /\.md$/).filter((path) => !path.startsWith('docs/adr/')),
];

/**
 * Words in the documentation that look like identifiers of this project, with the product or standard that
 * defines them.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  caching: 'a scenario of MCP’s conformance suite',
  connection_refused: 'a reason of a failed delivery, which is text and no enum',
  jq: 'a program',
  'mcp_config.json': 'a file of Windsurf',
  nodejs_eventloop_lag_p99_seconds: 'a metric of prom-client',
  openssl: 'a program',
  process_resident_memory_bytes: 'a metric of prom-client',
  reasoning_content: 'a field of model providers',
  serverUrl: 'a setting of Windsurf',
  structuredContent: 'MCP',
  'theme.liquid': 'a file of Shopify',
  temporal_visibility: 'a database of Temporal',
  temporal_worker_task_slots_available: 'a metric of Temporal’s SDK',
  whatsapp_business_management: 'a permission at Meta',
  whatsapp_business_messaging: 'a permission at Meta',
};

/** Documentation pages about settings, whose values are objects with additional fields. */
const ABOUT_SETTINGS = new Set(['docs/billing.md', 'docs/settings.md']);

const settings = new Set(Object.values(settingDefinitions).map(({ env }): string => env));
const scripts = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts,
);

/**
 * Check that returns the problem of a piece of code in prose; undefined if the code is correct or not a name
 * of this project.
 */
type Check = (code: string, page: string) => string | undefined;

/** Matches documentation pages whose readers call Parley, and use only its SDKs. */
const FOR_CALLERS = /^docs\/guides\/|README\.md$/;
/** Matches a name in the documentation: a word, or several words with dots between them. */
const NAME = /^(?![0-9a-f]{16})[a-z]\w*[^\W_](\.\w*[^\W_])*$/;
const COMPOUND = /_|[a-z][A-Z]/;

const problemUnless = (isKnown: boolean, problem: string) => (isKnown ? undefined : problem);

const checks: readonly Check[] = [
  function settingsExist(code) {
    const named = code.match(/\bPARLEY_[A-Z0-9_]+/g) ?? [];
    const isKnown = (name: string) =>
      settings.has(name) ||
      isInSource(name) ||
      (name.endsWith('_') && [...settings].some((each) => each.startsWith(name)));
    const unknown = named.filter((name) => !isKnown(name));
    return problemUnless(unknown.length === 0, `no setting ${unknown.join(', ')}`);
  },
  function scopesExist(code) {
    const named = code.match(/(?<![\w/.:-])[a-z_-]+:(read|write)(?![\w/-])/g) ?? [];
    const unknown = named.filter((name) => !(scopes as readonly string[]).includes(name));
    return problemUnless(unknown.length === 0, `no scope ${unknown.join(', ')}`);
  },
  function pathsExist(code) {
    const [, method, path] = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/api\/\S+)$/.exec(code) ?? [];
    return path === undefined
      ? undefined
      : problemUnless(isApiPath(method, path), 'no operation has this path');
  },
  function eventsExist(code) {
    if (!/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(code)) return undefined;
    const [subject = ''] = code.split('.');
    const isOfEvents = [...eventNames].some((name) => name.startsWith(`${subject}.`));
    return problemUnless(!isOfEvents || eventNames.has(code) || isFieldPath(code, apiWords), 'no event');
  },
  function namesExist(code, page) {
    if (!NAME.test(code)) return undefined;
    const isKnown = (word: string) =>
      apiWords.has(word) ||
      (FOR_CALLERS.test(page) && COMPOUND.test(word) ? isInPublicSource(word) : isInSource(word));
    return problemUnless(
      [operationIds, eventNames, sdkMethods].some((names) => names.has(code)) ||
        isKnown(code) ||
        code.split('.').every(isKnown),
      'neither a name of the API nor of the code',
    );
  },
  function npmScriptsExist(code) {
    const [, script] = /\bnpm run (?:-\S+ )*([\w:-]+)/.exec(code) ?? [];
    return script === undefined ? undefined : problemUnless(scripts.includes(script), 'no script of npm');
  },
  function serverCommandsExist(code) {
    const [, called] = /(?:\bnpm run parley -- |dist\/scripts\/cli\.js )(\S+(?: \S+)?)/.exec(code) ?? [];
    if (called === undefined) return undefined;
    return problemUnless(
      commandUsages.some((usage) => isCommandCall(called, usage)),
      'no command of npm run parley',
    );
  },
  function clientCommandsExist(code) {
    if (!/^parley( |$)/.test(code) || code === 'parley') return undefined;
    const [, first = '', second = ''] = code.split(/\s+/);
    if (first.startsWith('-') || first === 'completion') return undefined;
    const command =
      commands.find(({ name }) => name === `${first} ${second}`) ??
      commands.find(({ name }) => name === first);
    if (!command) return 'no command of parley';
    if (first === 'api' && /^\w+$/.test(second) && !operationIds.has(second)) return 'no operation';
    const given = [...code.matchAll(/ --([a-z-]+)/g)].map(([, name = '']) => name);
    const unknown = given.filter(
      (name) => !['json', 'help', ...Object.keys(command.options ?? {})].includes(name),
    );
    return problemUnless(unknown.length === 0, `no option ${unknown.join(', ')}`);
  },
  function methodsExist(code) {
    const called = [...code.matchAll(/\b(?:client|visitor|parley)\.(?!example\.)([a-z]\w*)\.([a-z]\w*)\b/g)];
    const unknown = called
      .map(([, resource, method]) => `${resource}.${method}`)
      .filter((name) => !sdkMethods.has(name) && !name.endsWith('.with_raw_response'));
    return problemUnless(unknown.length === 0, `no method ${unknown.join(', ')}`);
  },
];

describe('code in prose', () => {
  for (const page of PAGES)
    it(`of ${page} names only existing things`, () => {
      const problems = codeIn(readProse(page))
        .filter((code) => !(code in EXCEPTIONS))
        .flatMap((code) => checks.flatMap((check) => describeProblem(code, check(code, page))));
      assert.deepEqual([...new Set(problems)], []);
    });

  for (const page of PAGES.filter((each) => !ABOUT_SETTINGS.has(each)))
    it(`of ${page} combines only fields that one request accepts`, () => {
      assert.deepEqual(splitSentences(readProse(page)).flatMap(findUncombinableFields), []);
    });

  it('includes each listed exception', () => {
    const needed = PAGES.flatMap((page) =>
      codeIn(readProse(page)).filter((code) => checks.some((check) => check(code, page) !== undefined)),
    );
    assert.deepEqual(
      Object.keys(EXCEPTIONS).filter((code) => !needed.includes(code)),
      [],
    );
  });

  for (const [code, problem] of [
    ['PARLEY_MASTER_KEYS', 'no setting PARLEY_MASTER_KEYS'],
    ['bots:writes', undefined],
    ['bot:write', 'no scope bot:write'],
    ['--scopes bots:read,knowledges:read', 'no scope knowledges:read'],
    ['GET /api/bot', 'no operation has this path'],
    ['POST /api/bots/{bot_id}', 'no operation has this path'],
    ['PATCH /api/bots/<bot>', undefined],
    ['GET /api/webhooks/deliveries?number=1', 'no operation has this path'],
    ['conversation.closed', 'no event'],
    ['conversation.ended', undefined],
    ['public_keys_of_bots', 'neither a name of the API nor of the code'],
    ['listBot', 'neither a name of the API nor of the code'],
    ['npm run parly', 'no script of npm'],
    ['npm run parley -- webhooks resend', 'no command of npm run parley'],
    ['parley announce', 'no command of parley'],
    ['parley api getBots', 'no operation'],
    ['parley bots list --loud', 'no option loud'],
    ['client.bots.fetch(id)', 'no method bots.fetch'],
    ['client.knowledge.get_status(id)', undefined],
  ] as const)
    it(`is ${problem === undefined ? 'accepted' : 'refused'}: ${code}`, () => {
      const found = checks.map((check) => check(code, 'docs/guides/cli.md')).filter(Boolean);
      assert.deepEqual(found.slice(0, 1), problem === undefined ? [] : [problem]);
    });

  it('is refused if a list of request fields has a response field', () => {
    const sentence = 'Websites by `source_type="sitemap"` with a `source_url`.';
    assert.deepEqual(findUncombinableFields(sentence), [`source_type, source_url: ${sentence}`]);
    assert.deepEqual(findUncombinableFields(sentence.replace('source_url', 'max_pages')), []);
  });
});

/** Matches a field with its value in the documentation, as in a request. */
const PASSED = /\b[a-z]+(?:_[a-z]+)+['"]?\s*[:=]\s*['"[{\dtf]/;
const FIELD = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g;

function readProse(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '');
}

function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?;:|])\s+|\n\n|\n- /);
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Returns the fields that a sentence names for one request, although no operation accepts them together. */
function findUncombinableFields(sentence: string): string[] {
  const code = codeIn(sentence);
  if (!code.some((each) => PASSED.test(each))) return [];
  const found = code.flatMap((each) => each.match(FIELD) ?? []).filter((word) => apiWords.has(word));
  const words = [...new Set(found)];
  const isOfOne = [...inputWords.values()].some((inputs) => words.every((word) => inputs.has(word)));
  return isOfOne ? [] : [`${words.join(', ')}: ${sentence.trim()}`];
}

function describeProblem(code: string, problem: string | undefined): string[] {
  return problem === undefined ? [] : [`${code}: ${problem}`];
}

/** True if each part of a name in the documentation is a field, as in `error.message`. */
function isFieldPath(code: string, fields: ReadonlySet<string>): boolean {
  return code.split('.').every((part) => fields.has(part));
}

/**
 * True if a text calls a command of the command line, as `webhooks replay …` calls `webhooks replay
 * --endpoint <id>`.
 */
function isCommandCall(called: string, usage: string): boolean {
  const [first, second] = usage.split(' ');
  const [name, action] = called.split(' ');
  const isAction = second !== undefined && /^[a-z]/.test(second);
  return name === first && (!isAction || action === undefined || action === second);
}
