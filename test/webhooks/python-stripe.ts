import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { installPythonPackage } from '../support/python-tool.ts';

const PACKAGE = 'stripe==16.1.0';

/**
 * Python program that reads [body, header, secret, tolerance] of each delivery, and prints whether Stripe's
 * SDK accepts it.
 */
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
 * Installs Stripe’s Python SDK at the first call.
 * @returns the path of a Python that has it; undefined if it cannot be installed
 * @throws Error in CI instead of undefined
 */
export function findStripePython(): string | undefined {
  const python = installPythonPackage(PACKAGE, 'stripe');
  if (python === undefined && process.env['CI']) throw new Error(`${PACKAGE} cannot be installed.`);
  return python;
}

/**
 * Returns whether Stripe’s Python SDK accepts the signature of each webhook body.
 * @param python path from `findStripePython`
 */
export async function verifyInPython(
  python: string,
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
