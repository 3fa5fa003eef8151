import type { WebhookCreate } from '../../generated/models.ts';
import { findNearest, suggest } from '../../nearest.ts';
import { UsageError, type Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';

export type EventName = NonNullable<WebhookCreate['events']>[number];

/** @throws UsageError for an unknown webhook event */
export async function requireEvent({ client }: Context, name: string): Promise<EventName> {
  const names = (await client.webhooks.listEvents()).map((descriptor) => descriptor.name);
  const found = names.find((each) => each === name);
  if (found !== undefined) return found as EventName;
  const nearest = findNearest(name, names);
  const hint = nearest.length > 0 ? suggest(nearest) : ` Events: ${names.join(', ')}.`;
  throw new UsageError(oneLine(`There is no event ${name}.${hint}`));
}
