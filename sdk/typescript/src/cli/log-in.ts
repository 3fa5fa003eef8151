import { Parley } from '../client.ts';
import { URL_SETTING, type InternalOptions } from '../options.ts';
import { writeResult, UsageError, type Context } from './command.ts';
import { URL_VARIABLE, writeCredentials } from './credentials.ts';
import { requestKey } from './request-key.ts';
import { oneLine } from './safe-text.ts';

/**
 * Stores an API key with its server's URL, after a request with the key has succeeded. At a terminal, a
 * person approves a new key in a browser, unless `--key` is set.
 */
export async function logIn(context: Context): Promise<void> {
  const { baseUrl } = context.credentials;
  if (context.readHiddenLine === undefined && context.values['no-browser'] === true)
    throw new UsageError(
      'Without a terminal, parley login only reads a key from a pipe. To approve a key in a browser, run parley login in a terminal (ssh -t).',
    );
  const usesBrowser = context.readHiddenLine !== undefined && context.values['key'] !== true;
  const apiKey = usesBrowser ? await requestKey(context) : (await readKey(context, baseUrl)).trim();
  if (apiKey === '') throw new UsageError('Type an API key, or pipe it in: echo "$KEY" | parley login');
  const { organization } = await checkKey(context, createClient(baseUrl, apiKey));
  const file = writeCredentials(context, { baseUrl, apiKey });
  const workspace = organization?.name ?? null;
  writeResult(context, { file, workspace }, () => {
    const owner = workspace === null ? '' : ` and the workspace ${oneLine(workspace)}`;
    return `Stored in ${file}, for ${baseUrl}${owner}.`;
  });
}

async function readKey({ readHiddenLine, input, err }: Context, baseUrl: string): Promise<string> {
  if (!readHiddenLine) return input();
  err(`API key for ${baseUrl}: `);
  const key = await readHiddenLine();
  err('\n');
  return key;
}

function createClient(baseUrl: string, apiKey: string): Parley {
  const options: InternalOptions = { baseUrl, apiKey, [URL_SETTING]: URL_VARIABLE };
  return new Parley(options);
}

/** @throws the error of the request with the API key, after a message that the key is not stored */
async function checkKey({ err }: Context, client: Parley) {
  try {
    return await client.auth.getMe();
  } catch (error) {
    err('The key is not stored.\n');
    throw error;
  }
}
