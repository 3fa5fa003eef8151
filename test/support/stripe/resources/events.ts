import { paginate, PAGING } from '../listing.ts';
import { createRoute, type Route } from '../route.ts';

export const eventRoutes: Route[] = [
  createRoute('GET', '/v1/events', ['type', 'types', ...PAGING], (account, { params }) => {
    const type = params.getText('type');
    const types = typeof type === 'string' ? [type] : params.getTexts('types');
    const found = account.list('event').filter((event) => types.length === 0 || types.includes(event.type));
    return paginate(found, params, '/v1/events');
  }),
  createRoute('GET', '/v1/events/:id', [], (account, { id }) => account.get('event', id)),
];
