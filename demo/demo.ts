// npm run demo: demonstrates Parley from end to end. Exits with 1 if a check fails.
import { parseArgs } from 'node:util';
import { startSite } from './documents.ts';
import type { BotRead } from '../api/bots/bots.schemas.ts';
import { findParley, type Stage } from './find-parley.ts';
import { tellStory } from './story.ts';
import { paint, print } from './terminal.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

/**
 * Time limit of the demo in milliseconds. On its first start, Parley may have to build a Temporal server,
 * which takes minutes.
 */
const TIME_LIMIT_MS = 8 * 60_000;

const USAGE = `Usage: npm run demo [-- --url <address> --key <API key>] [-- --keep | --no-keep]

  Uses the Parley server at --url, or a running server that uses PARLEY_HOME, or starts a temporary server.
  --keep   keeps the temporary server running until Ctrl-C, so that you can explore it. This is the default on a terminal.
  --no-keep   stops the temporary server at the end.
`;

interface Options {
  url?: string | undefined;
  key?: string | undefined;
  keep?: boolean | undefined;
}

async function run({ url, key, keep = process.stdout.isTTY }: Options): Promise<void> {
  const cancellation = new AbortController();
  const { signal } = cancellation;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => cancellation.abort(new Error('Interrupted.')));
  }
  const timeoutError = new Error(`The demo did not finish within ${TIME_LIMIT_MS / 60_000} minutes.`);
  const timer = setTimeout(() => cancellation.abort(timeoutError), TIME_LIMIT_MS);
  const [receiver, site] = await Promise.all([WebhookReceiver.start(), startSite()]);
  try {
    const stage = await findParley({ url, key, receiverUrl: receiver.url, signal });
    try {
      const bot = await tellStory({ parley: stage.client, receiver, site: site.url });
      clearTimeout(timer);
      print();
      const keepsRunning = !stage.isTemporary || keep;
      if (!keepsRunning) print('To look around in a browser afterwards: npm run demo -- --keep');
      print(paint('bold', 'All checks passed.'));
      if (keepsRunning) await showUrls(stage, bot);
      if (keepsRunning && stage.isTemporary) await waitUntilAborted(signal);
    } finally {
      await stage.stop();
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    receiver.close();
    site.close();
  }
}

/** Shows the URLs of the demo's bot: its chat on a page, and the console. */
async function showUrls({ client, isTemporary, apiKey }: Stage, bot: BotRead): Promise<void> {
  const { baseUrl } = client;
  const demoPage = `${baseUrl}/demo?bot=${bot.public_key}`;
  const { ok: isServed } = await fetch(demoPage, { method: 'HEAD' });
  print();
  if (isServed) print(`The bot's chat, on a page   ${demoPage}`);
  print(`The bot, in the console   ${baseUrl}/console#/bots/${bot.id}`);
  if (apiKey !== undefined) print(`Sign in there with the API key   ${apiKey}`);
  if (!isTemporary) print(`The bot was not deleted. To delete it: DELETE /api/bots/${bot.id}`);
}

async function waitUntilAborted(signal: AbortSignal): Promise<void> {
  print('Parley keeps running. Press Ctrl-C to stop it.');
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      keep: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
    allowNegative: true,
  });
  if (values.help) return undefined;
  if ((values.url === undefined) !== (values.key === undefined)) {
    throw new Error('Set both --url and --key, or neither.');
  }
  return values;
}

try {
  const options = readOptions();
  if (options) {
    process.stdout.write(`\n${paint('bold', 'Parley, from end to end')}\n\n`);
    await run(options);
  } else process.stdout.write(USAGE);
} catch (error) {
  print();
  print(`${paint('red', '✗')} ${formatError(error)}`);
  process.exitCode = 1;
}
