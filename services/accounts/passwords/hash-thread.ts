import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { HashReply, HashRequest } from './hash-threads.ts';

/**
 * Parameters of the password hash argon2id: the library's defaults, which are OWASP's minimum. A hash takes
 * tens of milliseconds on one core.
 */
const ARGON2 = {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

// Program of the password-hashing worker threads, which `hash-threads.ts` starts.
if (parentPort) {
  const port = parentPort;
  const unknownAccountHash = hashSync('', ARGON2);
  port.on('message', (request: HashRequest) =>
    port.postMessage(handleHashRequest(request, unknownAccountHash)),
  );
}

function handleHashRequest(request: HashRequest, unknownAccountHash: string): HashReply {
  const { password } = request;
  try {
    if (request.kind === 'hash') return { result: hashSync(password, ARGON2) };
    const matches = verifySync(request.passwordHash ?? unknownAccountHash, password);
    return { result: matches && request.passwordHash !== null };
  } catch (error) {
    return { error };
  }
}
