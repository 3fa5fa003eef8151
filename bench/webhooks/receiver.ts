import type { IncomingHttpHeaders } from 'node:http';
import { readCpuMs } from '../support/cost.ts';
import { startPeer } from '../support/peer.ts';

/** Summary of the webhook requests to one path of the receiver. */
export interface HookSummary {
  requests: number;
  /** Number of distinct webhook deliveries that arrived. */
  deliveries: number;
  /** Number of distinct webhook deliveries that the receiver answered with 200. */
  accepted: number;
  lastAcceptedAtMs: number;
}

export interface DeliveryArrival {
  conversationId: string;
  firstAtMs: number;
  acceptedAtMs: number | null;
}

export interface Sample {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  hookUrl(hook: string): string;
  answerWith(hook: string, answer: 200 | 503 | 'hang'): Promise<void>;
  /** Returns the request summaries of the given paths, in their order. */
  readSummaries(hooks: string[]): Promise<HookSummary[]>;
  /** Returns every delivery to a path, and samples of whole requests. */
  readHook(hook: string): Promise<{ arrivals: DeliveryArrival[]; samples: Sample[] }>;
  readCpuMs(): number;
  stop(): void;
}

const nothing: HookSummary = { requests: 0, deliveries: 0, accepted: 0, lastAcceptedAtMs: 0 };

export async function startReceiver(): Promise<Receiver> {
  const peer = await startPeer('webhooks/receiver-process.ts');
  const buildHookUrl = (hook: string) => `http://127.0.0.1:${peer.line}/${hook}`;
  const get = async <T>(url: string) => (await (await fetch(url)).json()) as T;
  return {
    hookUrl: buildHookUrl,
    answerWith: async (hook, answer) =>
      void (await fetch(`${buildHookUrl(hook)}?${answer}`, { method: 'PUT' })),
    readSummaries: async (hooks) => {
      const all = await get<Record<string, HookSummary>>(buildHookUrl(''));
      return hooks.map((hook) => all[hook] ?? nothing);
    },
    readHook: (hook) => get(buildHookUrl(hook)),
    readCpuMs: () => readCpuMs(peer.pid),
    stop: () => peer.stop(),
  };
}
