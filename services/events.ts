export type { EventData, EventName } from './webhooks/event-catalogue.ts';
