import { NoSuchPage } from '../no-such-page.tsx';
import { isId, type Route } from '../router.ts';
import { DeliveriesPage } from './deliveries-page.tsx';
import { EndpointsPage } from './endpoints-page.tsx';

export function WebhooksArea({ route: { segments, query } }: { route: Route }) {
  const [, part, id, ...rest] = segments;
  if (part === undefined) return <EndpointsPage endpointId={query['endpoint']} />;
  if (part !== 'deliveries' || rest.length > 0 || (id !== undefined && !isId(id))) return <NoSuchPage />;
  return <DeliveriesPage id={id} filters={query} />;
}
