import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PACKAGE = 'stripe==16.1.0';
const environment = join(homedir(), '.cache', 'parley', PACKAGE.replace('==', '-'));
const python = join(environment, 'bin', 'python');

/** Reads [body, header, secret, tolerance] for each delivery, and returns whether the SDK accepts it. */
const VERIFY = `
import base64, json, sys
import stripe

def accepts(body, header, secret, tolerance):
    try:
        return stripe.WebhookSignature.verify_header(base64.b64decode(body).decode(), header, secret, tolerance)
    except stripe.SignatureVerificationError:
        return False

print(json.dumps([accepts(*each) for each in json.load(sys.stdin)]))
`;

export interface SignedBody {
  body: Buffer;
  header: string;
  secret: string;
}

/**
 * Installs Stripe's Python SDK at the first use. Where it cannot be had it says so on stderr and returns false; in CI
 * it throws.
 */
export async function hasPythonStripe(): Promise<boolean> {
  try {
    await run(python, ['-c', 'import stripe']).catch(install);
    return true;
  } catch (error) {
    if (process.env['CI']) throw error;
    process.stderr.write(`Stripe's Python SDK cannot be tested with here: ${String(error)}\n`);
    return false;
  }
}

/** Whether Stripe's Python SDK accepts each of them. */
export async function verifyInPython(
  signed: readonly SignedBody[],
  toleranceSeconds: number,
): Promise<boolean[]> {
  const child = spawn(python, ['-c', VERIFY], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.end(
    JSON.stringify(
      signed.map(({ body, header, secret }) => [body.toString('base64'), header, secret, toleranceSeconds]),
    ),
  );
  const output = await text(child.stdout);
  await exited;
  return JSON.parse(output) as boolean[];
}

async function install(): Promise<void> {
  await run('python3', ['-m', 'venv', '--clear', environment]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE], {
    timeout: 120_000,
  });
}
