import { randomInt } from 'node:crypto';
import { hashPassword } from '../services/accounts/passwords/passwords.ts';
import { median, roundTo, type Figure } from './support/figure.ts';
import { startInstallation, type Installation } from './support/installation.ts';
import { insertAccounts, WIDE_SIGN_IN_LIMITS, withDatabase } from './support/people.ts';

const PAIRS = 600;
const WARM_UP_PAIRS = 20;
const MAX_DIFFERENCE = 0.1;

const email = (address: string) => ({ email: address });

/** Operations that accept an email address without an account, with the bodies of their requests. */
const accountRequests: Record<string, { path: string; body: (address: string) => object }> = {
  login: {
    path: '/api/auth/login',
    body: (address) => ({ ...email(address), password: 'not a password of any account' }),
  },
  requestOtp: { path: '/api/auth/otp/request', body: email },
  verifyOtp: { path: '/api/auth/otp/verify', body: (address) => ({ ...email(address), code: '000000' }) },
  forgotPassword: { path: '/api/auth/password/forgot', body: email },
  resendVerification: { path: '/api/auth/email/resend', body: email },
  register: {
    path: '/api/auth/register',
    body: (address) => ({
      ...email(address),
      password: 'four green lamps at dusk',
      full_name: 'Grace Hopper',
    }),
  },
};

/**
 * Compares the median response times for email addresses with and without an account. Each address is used
 * once, one at a time. The order is random, since the worker's task for one call may still run during the
 * next calls.
 */
export async function benchEnumeration(): Promise<Figure[]> {
  const installation = await startInstallation(WIDE_SIGN_IN_LIMITS);
  const passwordHash = await hashPassword('three blue lamps at noon');
  const count = WARM_UP_PAIRS + PAIRS;
  try {
    await withDatabase(installation, (db) => insertAccounts(db, { prefix: 'known', count, passwordHash }));
    const figures: Figure[] = [];
    for (const name of Object.keys(accountRequests)) figures.push(await compare(installation, name));
    return figures;
  } finally {
    await installation.stop();
  }
}

type Kind = 'known' | 'unknown';

/**
 * Shuffles email addresses with and without an account. In shuffled pairs, addresses of one kind would mostly
 * follow addresses of the other kind.
 */
function shuffleAddresses(count: number): { kind: Kind; address: string }[] {
  return (['known', 'unknown'] as const)
    .flatMap((kind) =>
      Array.from({ length: count }, (_, index) => ({
        kind,
        address: `${kind}-${index + 1}@example.com`,
        sortKey: randomInt(2 ** 40),
      })),
    )
    .toSorted((one, other) => one.sortKey - other.sortKey);
}

async function compare({ apiUrl }: Installation, name: string): Promise<Figure> {
  const { path, body } = accountRequests[name]!;
  const measureResponse = async (address: string): Promise<number> => {
    const startedAt = performance.now();
    const response = await fetch(apiUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body(address)),
    });
    await response.text();
    return performance.now() - startedAt;
  };
  const times: Record<Kind, number[]> = { known: [], unknown: [] };
  for (const [turn, { kind, address }] of shuffleAddresses(WARM_UP_PAIRS + PAIRS).entries()) {
    const ms = await measureResponse(address);
    if (turn >= 2 * WARM_UP_PAIRS) times[kind].push(ms);
  }
  const knownMs = median(times.known);
  const unknownMs = median(times.unknown);
  const difference = Math.abs(knownMs / unknownMs - 1);
  return {
    bench: 'enumeration',
    figure: `${name}: difference of medians, known and unknown addresses`,
    value: roundTo(difference * 100, 1),
    unit: '%',
    target: '≤ 10 %',
    ok: difference <= MAX_DIFFERENCE,
    baseline: roundTo(unknownMs, 1),
  };
}
