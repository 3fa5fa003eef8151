import { ApiError, Parley, SDK_VERSION } from '../../sdk/typescript/src/index.ts';
import { itRunsScenarios, type DriverInput } from './run-scenarios.ts';
import type { ScenarioOutcome } from './scenarios.ts';

type AnyMethod = (...args: unknown[]) => unknown;

describe('the TypeScript SDK on faulty connections', () => {
  itRunsScenarios(drive, `parley-sdk-typescript/${SDK_VERSION}`);
});

async function drive(input: DriverInput): Promise<ScenarioOutcome> {
  try {
    return { result: await runCall(input) };
  } catch (error) {
    return { error: toOutcomeError(error) };
  }
}

async function runCall({ client: settings, call }: DriverInput): Promise<unknown> {
  const client = new Parley({
    baseUrl: settings.base_url,
    apiKey: settings.api_key,
    timeoutMs: settings.timeout_ms,
    maxRetries: settings.max_retries,
  });
  const [resource = '', method = ''] = call.method.split('.');
  const methods = (client as unknown as Record<string, Record<string, AnyMethod>>)[resource] ?? {};
  const result = methods[method]?.(...buildArguments(call));
  if (call.take === undefined || call.take === 'result') return await result;
  const taken: unknown[] = [];
  for await (const each of result as AsyncIterable<{ event: string }>)
    taken.push(call.take === 'events' ? each.event : each);
  return taken;
}

function buildArguments({ path = [], file, body, query, options = {} }: DriverInput['call']): unknown[] {
  return [
    ...path,
    ...(file ? [{ name: file.name, content: file.text, type: file.type }] : []),
    ...(body || file ? [body ?? {}] : []),
    ...(query ? [query] : []),
    ...(body || query || file
      ? [{ idempotencyKey: options.idempotency_key, visitorToken: options.visitor_token }]
      : []),
  ];
}

function toOutcomeError(error: unknown): ScenarioOutcome['error'] {
  if (!(error instanceof Error)) throw error;
  if (!(error instanceof ApiError)) return { class: error.name };
  const { name, status, code, retryAfter, details } = error;
  return {
    class: name.replace(/^Api/, ''),
    status,
    code,
    retry_after: retryAfter,
    fields: details.map(({ field }) => field),
  };
}
