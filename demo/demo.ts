// npm run demo: what Parley does, shown from end to end. Its exit code is 1 when anything does not hold.
import { parseArgs } from 'node:util';
import { startSite } from './documents.ts';
import { findParley } from './find-parley.ts';
import { tellStory } from './story.ts';
import { paint, print } from './terminal.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

/** With room for a first start that has to build a Temporal server. */
const TIME_LIMIT_MS = 8 * 60_000;

const USAGE = `Usage: npm run demo [-- --url <address> --key <API key>] [-- --keep]

  It uses the Parley of --url, or the one that runs on PARLEY_HOME, or starts one of its own.
  --keep   leaves that one running until Ctrl-C, to look around in.
`;

interface Options {
  url?: string | undefined;
  key?: string | undefined;
  keep?: boolean | undefined;
}

async function run({ url, key, keep = false }: Options): Promise<void> {
  const cancellation = new AbortController();
  const { signal } = cancellation;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => cancellation.abort(new Error('Interrupted.')));
  }
  const tooLate = new Error(`The demo was not done within ${TIME_LIMIT_MS / 60_000} minutes.`);
  const timer = setTimeout(() => cancellation.abort(tooLate), TIME_LIMIT_MS);
  const [receiver, site] = await Promise.all([WebhookReceiver.start(), startSite()]);
  try {
    const stage = await findParley({ url, key, receiverUrl: receiver.url, signal });
    try {
      const botId = await tellStory({ parley: stage.client, receiver, site: site.url });
      clearTimeout(timer);
      print();
      print(paint('bold', 'Everything held.'));
      if (!stage.isTemporary) print(`The bot stays, to look at; DELETE /api/bots/${botId} removes it.`);
      if (keep && stage.isTemporary) await untilAborted(signal, stage.client.baseUrl);
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

async function untilAborted(signal: AbortSignal, baseUrl: string): Promise<void> {
  print(`Parley goes on; its reference is at ${baseUrl}/docs. Press Ctrl-C to stop it.`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

function messageOf(error: unknown): string {
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
  });
  if (values.help) return undefined;
  if ((values.url === undefined) !== (values.key === undefined)) {
    throw new Error('--url and --key belong together.');
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
  print(`${paint('red', '✗')} ${messageOf(error)}`);
  process.exitCode = 1;
}
