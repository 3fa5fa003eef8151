import type { Loaded } from '../hooks/use-load.ts';
import type { EventDescriptor, Webhook } from '../client/types.ts';

export interface EndpointCardProps {
  endpoint: Webhook;
  events: Loaded<EventDescriptor[]>;
  onChange(): void;
}
