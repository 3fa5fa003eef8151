import { verify } from '@node-rs/argon2';

/** Baseline for the bench of sign-ins: only checks passwords. Prints the number of checks a second. */
const [passwordHash = '', password = '', atOnce, seconds] = process.argv.slice(2);
const startedAt = performance.now();
let checked = 0;
const check = async (): Promise<void> => {
  while (performance.now() - startedAt < Number(seconds) * 1000) {
    await verify(passwordHash, password);
    checked += 1;
  }
};
await Promise.all(Array.from({ length: Number(atOnce) }, check));
process.stdout.write(`${checked / ((performance.now() - startedAt) / 1000)}\n`);
