import type { Delivery, Webhook } from '../client/types.ts';
import type { Tone } from '../components/lists/status.tsx';

type Words = readonly [tone: Tone, name: string];

export const deliveryWords: Record<Delivery['status'], Words> = {
  pending: ['busy', 'Queued'],
  retrying: ['busy', 'Retrying'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
};

export const healthWords: Record<Webhook['health'], Words> = {
  unknown: ['quiet', 'Not tested'],
  healthy: ['good', 'Healthy'],
  degraded: ['busy', 'Degraded'],
  failing: ['bad', 'Failing'],
  disabled: ['quiet', 'Disabled'],
};
