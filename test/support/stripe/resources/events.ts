import { page, PAGING } from '../listing.ts';
import { route, type Route } from '../route.ts';

export const eventRoutes: Route[] = [
  route('GET', '/v1/events', ['type', 'types', ...PAGING], (account, { params }) => {
    const type = params.text('type');
    const types = typeof type === 'string' ? [type] : params.texts('types');
    const found = account.all('event').filter((event) => types.length === 0 || types.includes(event.type));
    return page(found, params, '/v1/events');
  }),
  route('GET', '/v1/events/:id', [], (account, { id }) => account.get('event', id)),
];
