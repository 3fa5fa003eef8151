type Tone = 'good' | 'busy' | 'bad' | 'quiet';

const tones: Record<string, Tone> = {
  active: 'good',
  on: 'good',
  accepted: 'good',
  indexed: 'good',
  delivered: 'good',
  succeeded: 'good',
  healthy: 'good',
  granted: 'good',
  today: 'good',
  trialing: 'good',
  waiting_human: 'bad',
  failed: 'bad',
  failing: 'bad',
  disabled: 'bad',
  blocked: 'bad',
  expired: 'bad',
  conflict: 'bad',
  reconnect_needed: 'bad',
  past_due: 'bad',
  human: 'busy',
  pending: 'busy',
  unverified: 'busy',
  processing: 'busy',
  retrying: 'busy',
  degraded: 'busy',
  paused: 'busy',
  refunded: 'busy',
};

const names: Record<string, string> = {
  waiting_human: 'waiting',
  human: 'with a person',
  reconnect_needed: 'has to be connected again',
  unverified: 'not verified',
  past_due: 'not paid',
  trialing: 'trial',
  cancelled: 'canceled',
};

/** Shows a status as a colored label. The color adds no information to the text. */
export function Badge({ state }: { state: string }) {
  return <span className={`badge ${tones[state] ?? 'quiet'}`}>{names[state] ?? state}</span>;
}
