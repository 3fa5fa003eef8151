import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generateApiKey } from '../../adapters/keys/api-key.ts';
import { loadSettings, SettingsError, splitList, type Settings } from '../../core/settings/settings.ts';
import { suggestNames } from '../../core/text/nearest-names.ts';
import { escapeUnsafe } from '../../core/text/safe-text.ts';
import { ParleyHome } from '../launcher/parley-home.ts';
import { LaunchError } from '../launcher/launch-error.ts';

/** Environment variables and output of a command. */
export interface CommandEnvironment {
  env: Record<string, string | undefined>;
  /** Writes a line of the command's output to stdout. */
  report(line: string): void;
  /** Writes an error message, or a line about the progress of a command, to stderr. */
  reportError(line: string): void;
}

interface Command {
  usage: string;
  explanation: string;
  /**
   * Runs the command.
   * @returns the exit code
   */
  run(args: string[], environment: CommandEnvironment): Promise<number>;
}

// Commands import their modules only when they run, because loading the modules of all commands takes longer
// than most commands.
const commands: Record<string, Command> = {
  'create-key': {
    usage: 'create-key [--name <name>] [--scopes <a,b>] [--print-only]',
    explanation:
      'Create an API key for the first workspace. --print-only generates a valid key without storing it.',
    async run(args, { env, report }) {
      const { values } = parseArgs({
        args,
        options: { name: { type: 'string' }, scopes: { type: 'string' }, 'print-only': { type: 'boolean' } },
      });
      if (values['print-only']) {
        report(generateApiKey());
        return 0;
      }
      const { createKey } = await import('./create-key.ts');
      const scopes = values.scopes === undefined ? undefined : splitList(values.scopes);
      report(await createKey(requireDatabaseSettings(env), { name: values.name, scopes }));
      return 0;
    },
  },
  migrate: {
    usage: 'migrate',
    explanation: 'Migrate the database and Temporal, and create the first workspace if none exists.',
    async run(_, { env, report }) {
      const { migrate } = await import('./migrate.ts');
      await migrate(requireDatabaseSettings(env), report);
      return 0;
    },
  },
  doctor: {
    usage: 'doctor [<part> …]',
    explanation:
      'Check the database, Temporal, the worker, storage, email, the model, embeddings and billing, and report problems. With the names of checks, such as worker, run only these checks.',
    async run(args, { env, report }) {
      const { positionals: parts } = parseArgs({ args, allowPositionals: true });
      const { diagnose } = await import('./doctor.ts');
      return (await diagnose(loadCurrentSettings(env), report, parts)) ? 0 : 1;
    },
  },
  embeddings: {
    usage: 'embeddings <list|fetch> [<name>]',
    explanation:
      'Download an embedding model for semantic search on this machine, or list the models. `npm start` then uses the downloaded model.',
    async run([action, name, ...rest], { env, report }) {
      if (rest.length > 0 || (action !== 'fetch' && (action !== 'list' || name !== undefined)))
        throw new LaunchError(`Usage: ${this.usage}`);
      const { fetchModel, findDownloadableModel } = await import('../embeddings/fetch-model.ts');
      if (action === 'list') {
        const { formatModelList } = await import('../embeddings/format-model-list.ts');
        report(formatModelList(env));
        return 0;
      }
      const { chooseModel } = await import('../embeddings/fetched-model.ts');
      const model = findDownloadableModel(name);
      const path = await fetchModel(env, report, model);
      chooseModel(env, model.name);
      report(`The model is at ${path}.`);
      report('`npm start` uses it after a restart; elsewhere, set PARLEY_EMBEDDING_MODEL_PATH to this path.');
      return 0;
    },
  },
  'mail-link': {
    usage: 'mail-link',
    explanation:
      'Print the link to the emails that were captured because no mail server is configured. Anyone with the link can read them.',
    async run(_, { env, report }) {
      const { mailPagesLink } = await import('../../api/mail/mail-pages-access.ts');
      const settings = loadCurrentSettings(env);
      if (settings.masterKey === undefined)
        throw new LaunchError(
          `No Parley is running with PARLEY_HOME ${settings.home}. Start Parley with \`npm start\` first, or set PARLEY_MASTER_KEY.`,
        );
      const link = mailPagesLink(settings);
      if (link === undefined)
        throw new LaunchError(
          'No page shows emails, because a mail server is configured or Parley runs behind a proxy.',
        );
      report(link);
      return 0;
    },
  },
  webhooks: {
    usage: 'webhooks replay --endpoint <id> --since <time> [--until <time>] [--dry-run]',
    explanation:
      'Resend the failed deliveries of an endpoint that were not replayed yet. --dry-run only lists them.',
    async run(args, { env, report }) {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: {
          endpoint: { type: 'string' },
          since: { type: 'string' },
          until: { type: 'string' },
          'dry-run': { type: 'boolean' },
        },
      });
      const { endpoint: webhookId, since, until, 'dry-run': isDryRun = false } = values;
      if (positionals.join(' ') !== 'replay' || webhookId === undefined || since === undefined)
        throw new LaunchError(`Usage: ${this.usage}`);
      const range = { since: parseTime(since), until: until === undefined ? new Date() : parseTime(until) };
      assertRange(range);
      const { replayWebhooks } = await import('./replay-webhooks.ts');
      await replayWebhooks(requireDatabaseSettings(env), { webhookId, ...range, isDryRun }, report);
      return 0;
    },
  },
  archive: {
    usage: 'archive verify <file>',
    explanation: 'Check an archive of conversations as an import would. Parley does not need to be running.',
    async run([action, file, ...rest], { report }) {
      if (action !== 'verify' || file === undefined || rest.length > 0)
        throw new LaunchError(`Usage: ${this.usage}`);
      const { reportArchive } = await import('./verify-archive.ts');
      return (await reportArchive(file, report)) ? 0 : 1;
    },
  },
  backup: {
    usage: 'backup <folder> [--with-keys]',
    explanation:
      'Save the database, files and workflows of a running Parley into a new folder. --with-keys includes the master key.',
    async run(args, { env, reportError }) {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { 'with-keys': { type: 'boolean' } },
      });
      const [folder, ...rest] = positionals;
      if (folder === undefined || rest.length > 0) throw new LaunchError(`Usage: ${this.usage}`);
      const { backUp } = await import('./backup.ts');
      const withKeys = values['with-keys'] ?? false;
      await backUp(requireDatabaseSettings(env), { folder: resolvePath(env, folder), withKeys }, reportError);
      return 0;
    },
  },
  restore: {
    usage: 'restore <folder> [--replace] [--trust-backup-key]',
    explanation:
      'Restore a backup into an empty PARLEY_HOME, and into DATABASE_URL if it is set. --replace moves existing data aside. --trust-backup-key uses the master key in the backup.',
    async run(args, { env, reportError }) {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { replace: { type: 'boolean' }, 'trust-backup-key': { type: 'boolean' } },
      });
      const [folder, ...rest] = positionals;
      if (folder === undefined || rest.length > 0) throw new LaunchError(`Usage: ${this.usage}`);
      const { restore } = await import('./restore.ts');
      await restore(
        loadSettings(env),
        {
          folder: resolvePath(env, folder),
          mayReplace: values.replace ?? false,
          trustsBackupKey: values['trust-backup-key'] ?? false,
        },
        reportError,
      );
      return 0;
    },
  },
  'set-plan': {
    usage: 'set-plan <slug or id> <tier|none>',
    explanation: 'Override the plan of a workspace and its descendants. none restores the paid plan.',
    async run(args, { env, report }) {
      const [name, tier, ...rest] = args;
      if (name === undefined || tier === undefined || rest.length > 0)
        throw new LaunchError(`Usage: ${this.usage}`);
      const { setPlan } = await import('./set-plan.ts');
      await setPlan(requireDatabaseSettings(env), { name, tier }, report);
      return 0;
    },
  },
  announce: {
    usage: 'announce <news.md> [<news.de.md> …] [--name <name>] [--dry-run]',
    explanation:
      'Email news once to every user who has not unsubscribed from news, in the user’s language if a file exists for that language. --dry-run only lists the recipients.',
    async run(args, { env, report }) {
      const { values, positionals: files } = parseArgs({
        args,
        allowPositionals: true,
        options: { name: { type: 'string' }, 'dry-run': { type: 'boolean' } },
      });
      if (files.length === 0) throw new LaunchError(`Usage: ${this.usage}`);
      const { announce } = await import('./announce.ts');
      await announce(
        requireDatabaseSettings(env),
        { files, name: values.name, isDryRun: values['dry-run'] ?? false },
        report,
      );
      return 0;
    },
  },
  help: {
    usage: 'help',
    explanation: 'Show this list.',
    async run(_, { report }) {
      report('Usage: npm run parley -- <command>\n');
      for (const command of Object.values(commands)) report(formatHelp(command));
      report(EXIT_CODES);
      return 0;
    },
  },
};

const EXIT_CODES = '\nExit codes: 0 done, 1 failed or refused, 141 output not read.';

/** Options that list all commands, in place of the name of a command. */
const HELP_OPTIONS: ReadonlySet<string> = new Set(['--help', '-h']);

/** Usage line of each command. A test compares the documentation with these lines. */
export const commandUsages: readonly string[] = Object.values(commands).map(({ usage }) => usage);

function formatHelp({ usage, explanation }: Command): string {
  return `  ${usage}\n      ${explanation}`;
}

/**
 * Parses a command-line option that names a time.
 * @throws LaunchError if the text is not a time
 */
function parseTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new LaunchError(`"${text}" is not a time. Use the format 2026-11-21 or 2026-11-21T14:00:00Z.`);
  return time;
}

/** @throws LaunchError if no time is between `since` and `until`, or `since` is in the future */
function assertRange({ since, until }: { since: Date; until: Date }): void {
  if (since.getTime() > Date.now()) throw new LaunchError('--since is in the future.');
  if (until <= since) throw new LaunchError('--until must be later than --since.');
}

/**
 * Resolves a path in the arguments from the folder in which the user called npm, because npm runs the command
 * in the checkout.
 */
function resolvePath(env: CommandEnvironment['env'], path: string): string {
  return resolve(env['INIT_CWD'] ?? '.', path);
}

/**
 * Returns the settings, with the URL of a database.
 * @throws LaunchError if no database is configured or running
 */
function requireDatabaseSettings(env: CommandEnvironment['env']): Settings {
  const settings = loadCurrentSettings(env);
  if (settings.databaseUrl !== undefined) return settings;
  throw new LaunchError(
    `No Parley is running with PARLEY_HOME ${settings.home}. Start Parley with \`npm start\` first, or set DATABASE_URL.`,
  );
}

/**
 * Returns the settings of the environment variables. Takes missing settings from the Parley that is running
 * with `PARLEY_HOME`.
 */
function loadCurrentSettings(env: CommandEnvironment['env']): Settings {
  const ownSettings = loadSettings(env);
  return loadSettings({ ...new ParleyHome(ownSettings.home).readRunningEnvironment(), ...env });
}

/**
 * Runs the command that the arguments name. Escapes control characters in its output.
 * @returns the exit code
 */
export async function runCommandLine(
  args: string[],
  { env, ...environment }: CommandEnvironment,
): Promise<number> {
  const report = (line: string) => environment.report(escapeUnsafe(line));
  const reportError = (line: string) => environment.reportError(escapeUnsafe(line));
  try {
    return await runCommand(args, { env, report, reportError });
  } catch (error) {
    reportError(formatError(error));
    return 1;
  }
}

async function runCommand(
  [word = 'help', ...args]: string[],
  environment: CommandEnvironment,
): Promise<number> {
  const name = HELP_OPTIONS.has(word) ? 'help' : word;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new LaunchError(
      `There is no command "${name}"${suggestNames(name, Object.keys(commands))}; \`npm run parley -- help\` lists them.`,
    );
  if (!args.includes('--help')) return runWithArguments(command, args, environment);
  environment.report(formatHelp(command));
  environment.report(EXIT_CODES);
  return 0;
}

/**
 * Runs a command.
 * @throws LaunchError with the usage if an option or an argument is unknown
 */
async function runWithArguments(
  command: Command,
  args: string[],
  environment: CommandEnvironment,
): Promise<number> {
  const { usage } = command;
  const [extra] = args;
  if (!usage.includes(' ') && extra !== undefined && command !== commands['help'])
    throw new LaunchError(`${usage} takes no arguments: remove ${extra}.`);
  try {
    return await command.run(args, environment);
  } catch (error) {
    const problem = describeParseError(error, usage);
    throw problem === undefined ? error : new LaunchError(`${problem}\nUsage: ${usage}`);
  }
}

/** Describes an error in the arguments, which `parseArgs` has thrown; undefined for other errors. */
function describeParseError(error: unknown, usage: string): string | undefined {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')))
    return undefined;
  const [, option] = /^Unknown option '(-[^']*)'/.exec(error.message) ?? [];
  const [, argument] = /^Unexpected argument '(.*)'\. This/s.exec(error.message) ?? [];
  if (argument !== undefined) return `The command does not take the argument ${argument}.`;
  if (option === undefined) return `${error.message.replace(/\.$/, '')}.`;
  return `There is no option ${option}${suggestNames(option, usage.match(/--[a-z-]+/g) ?? [])}.`;
}

function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof SettingsError || error instanceof LaunchError
    ? error.message
    : (error.stack ?? error.message);
}
