/** @jsxImportSource react */
import type { Route } from '../router.ts';
import { DeliveriesPage } from './deliveries-page.tsx';
import { EndpointsPage } from './endpoints-page.tsx';

export function WebhooksArea({ route: { segments, query } }: { route: Route }) {
  const [, part, id] = segments;
  return part === undefined ? (
    <EndpointsPage endpointId={query['endpoint']} />
  ) : (
    <DeliveriesPage id={id} filters={query} />
  );
}
