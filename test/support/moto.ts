import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort, installPythonPackage } from './python-tool.ts';
import { waitUntil } from './wait-until.ts';

const MOTO = 'moto[kms,server]==5.2.5';

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * Installs moto, a fake of AWS, and caches it, which takes a minute or more the first time.
 * @returns the path of its Python, or undefined without Python
 */
export function installMoto(): string | undefined {
  return installPythonPackage(MOTO, 'moto.server');
}

/**
 * Fake of AWS Key Management Service. It also decrypts with disabled keys, so tests of refusals use a different fake.
 */
export class Moto {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** @returns undefined on a machine without Python */
  static async start(): Promise<Moto | undefined> {
    const python = installMoto();
    if (python === undefined) return undefined;
    const port = await findFreePort();
    const args = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
    const child = spawn(python, args, { stdio: 'ignore' });
    children.add(child);
    child.once('exit', () => children.delete(child));
    const moto = new Moto(`http://127.0.0.1:${port}`, child);
    const isThere = () =>
      fetch(`${moto.url}/moto-api/`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil(isThere, 'moto to respond');
    return moto;
  }

  /** Creates an encryption key in the fake AWS and returns its ARN. */
  async createKey(region: string): Promise<string> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'TrentService.CreateKey',
        authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/kms/aws4_request, SignedHeaders=host, Signature=0`,
      },
      body: '{}',
    });
    const { KeyMetadata } = (await response.json()) as { KeyMetadata: { Arn: string } };
    return KeyMetadata.Arn;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
