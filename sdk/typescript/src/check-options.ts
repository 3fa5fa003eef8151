import { describeValue, isPromise } from './describe-type.ts';
import { InvalidArgumentError } from './errors.ts';
import { findNearest, suggest } from './nearest.ts';
import type { CallOptions, ClientOptions } from './options.ts';

interface Rule {
  accepts: (value: unknown) => boolean;
  expected: string;
}

export type Rules = Readonly<Record<string, Rule>>;

const isNumber = (value: unknown): value is number => typeof value === 'number';

export const text: Rule = { accepts: (value) => typeof value === 'string', expected: 'a string' };
export const callback: Rule = { accepts: (value) => typeof value === 'function', expected: 'a function' };
export const duration: Rule = {
  accepts: (value) => isNumber(value) && value >= 0,
  expected: 'a number of at least 0',
};
const timeout: Rule = { accepts: (value) => isNumber(value) && value > 0, expected: 'a number above 0' };
const count: Rule = {
  accepts: (value) => value === Infinity || (isNumber(value) && Number.isInteger(value) && value >= 0),
  expected: 'a whole number of at least 0',
};
export const signal: Rule = {
  accepts: (value) => typeof (value as Partial<AbortSignal>).addEventListener === 'function',
  expected: 'an AbortSignal',
};
const record: Rule = { accepts: (value) => typeof value === 'object', expected: 'an object' };

export const clientRules: Record<keyof ClientOptions, Rule> = {
  baseUrl: text,
  apiKey: text,
  visitorToken: text,
  fetch: callback,
  timeoutMs: timeout,
  streamSilenceMs: timeout,
  maxRetries: count,
  onRetry: callback,
};

export const callRules: Record<keyof CallOptions, Rule> = {
  signal,
  timeoutMs: timeout,
  maxRetries: count,
  idempotencyKey: text,
  visitorToken: text,
  headers: record,
};

/**
 * Refuses options of the SDK that TypeScript would refuse, because JavaScript would silently ignore an
 * unknown option.
 * @param owner function that takes the options, for the message
 */
export function checkOptions(owner: string, options: unknown, rules: Rules): void {
  if (typeof options !== 'object' || options === null || isPromise(options) || signal.accepts(options))
    throw new InvalidArgumentError(
      `The options of ${owner} must be an object with names, such as { ${Object.keys(rules)[0]} }.`,
      'options',
    );
  for (const [name, value] of Object.entries(options)) checkOption(owner, { name, value }, rules);
}

function checkOption(owner: string, { name, value }: { name: string; value: unknown }, rules: Rules): void {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) {
    const names = Object.keys(rules);
    const suggestion = suggest(names.length === 1 ? names : findNearest(name, names));
    throw new InvalidArgumentError(`${owner} has no option ${name}.${suggestion}`, name);
  }
  if (value === undefined || value === null) return;
  if (isPromise(value)) throw new InvalidArgumentError(`${name} of ${owner} is a promise. Await it.`, name);
  if (!rule.accepts(value))
    throw new InvalidArgumentError(
      `${name} of ${owner} must be ${rule.expected}, but is ${describeValue(value)}.`,
      name,
    );
}
