import type { StripeAccount } from '../account.ts';
import type { FormParams } from '../form-params.ts';
import { filterByParams, paginate, PAGING } from '../listing.ts';
import type { PortalConfiguration, PortalFeatures, PortalFlow, PortalSession } from '../objects.ts';
import { createInvalidRequest } from '../refusal.ts';
import { createRoute, type Call, type Route } from '../route.ts';
import { getOnlyItem } from './subscription-periods.ts';
import { movePrice } from './subscriptions.ts';

const CONFIGURATION_FIELDS = ['business_profile', 'default_return_url', 'features', 'metadata', 'name'];

export const portalRoutes: Route[] = [
  createRoute('POST', '/v1/billing_portal/configurations', CONFIGURATION_FIELDS, createConfiguration),
  createRoute(
    'GET',
    '/v1/billing_portal/configurations',
    ['active', 'is_default', ...PAGING],
    (account, { params }) =>
      paginate(
        filterByParams(account.list('billing_portal.configuration'), params, ['active', 'is_default']),
        params,
        '/v1/billing_portal/configurations',
      ),
  ),
  createRoute('GET', '/v1/billing_portal/configurations/:id', [], (account, { id }) =>
    account.get('billing_portal.configuration', id),
  ),
  createRoute(
    'POST',
    '/v1/billing_portal/configurations/:id',
    ['active', ...CONFIGURATION_FIELDS],
    (account, { id, params }) => {
      const configuration = account.get('billing_portal.configuration', id);
      return account.change(configuration, {
        ...(params.has('features') && { features: parseFeatures(params.getNested('features')) }),
        ...(params.has('active') && { active: params.getFlag('active') ?? true }),
        metadata: params.mergeMetadata('metadata', configuration.metadata ?? {}),
        updated: account.now,
      });
    },
  ),
  createRoute(
    'POST',
    '/v1/billing_portal/sessions',
    ['configuration', 'customer', 'flow_data', 'locale', 'return_url'],
    createSession,
  ),
];

/**
 * Confirms the change of plan in the portal as a person does who presses "Confirm".
 * @returns the URL of the redirect
 */
export function confirmPortal(account: StripeAccount, sessionId: string): string {
  const session = account.get('billing_portal.session', sessionId);
  const { flow } = session;
  const update = flow?.subscription_update_confirm;
  if (!flow || !update) throw new Error(`${sessionId} has nothing to confirm.`);
  const [item] = update.items;
  const subscription = account.get('subscription', update.subscription);
  const configuration = account.get('billing_portal.configuration', String(session.configuration));
  if (item && getOnlyItem(subscription).price.id !== item.price)
    movePrice(account, subscription, {
      price: account.get('price', item.price),
      quantity: item.quantity,
      prorationBehavior: configuration.features.subscription_update.proration_behavior,
    });
  return flow.after_completion.redirect?.return_url ?? session.return_url ?? account.url;
}

function createConfiguration(account: StripeAccount, { params }: Call): PortalConfiguration {
  return account.add<PortalConfiguration>(
    {
      id: account.createId('bpc'),
      object: 'billing_portal.configuration',
      active: true,
      business_profile: params.getNested('business_profile').plain,
      created: account.now,
      default_return_url: params.getText('default_return_url') ?? null,
      features: parseFeatures(params.getNested('features')),
      is_default: false,
      livemode: false,
      metadata: params.mergeMetadata('metadata'),
      updated: account.now,
    },
    'billing_portal.configuration.created',
  );
}

function parseFeatures(features: FormParams): PortalFeatures {
  const isOn = (name: string) => features.getNested(name).getFlag('enabled') ?? false;
  const update = features.getNested('subscription_update');
  return {
    subscription_update: {
      enabled: isOn('subscription_update'),
      default_allowed_updates: update.getTexts('default_allowed_updates'),
      products: update
        .getList('products')
        .map((each) => ({ product: each.requireText('product'), prices: each.getTexts('prices') })),
      proration_behavior: update.getText('proration_behavior') ?? 'none',
    },
    subscription_cancel: {
      enabled: isOn('subscription_cancel'),
      mode: features.getNested('subscription_cancel').getText('mode') ?? 'at_period_end',
    },
    customer_update: {
      enabled: isOn('customer_update'),
      allowed_updates: features.getNested('customer_update').getTexts('allowed_updates'),
    },
    invoice_history: { enabled: isOn('invoice_history') },
    payment_method_update: { enabled: isOn('payment_method_update') },
  };
}

function createSession(account: StripeAccount, { params }: Call): PortalSession {
  const customer = account.getLiveCustomer(params.requireText('customer'));
  const configuration = findConfiguration(account, params);
  const id = account.createId('bps');
  return account.add<PortalSession>(
    {
      id,
      object: 'billing_portal.session',
      configuration: configuration.id,
      created: account.now,
      customer: customer.id,
      flow: params.has('flow_data')
        ? parsePortalFlow(account, params.getNested('flow_data'), configuration)
        : null,
      livemode: false,
      return_url: params.getText('return_url') ?? configuration.default_return_url,
      url: `${account.url}/portal/${id}`,
    },
    'billing_portal.session.created',
  );
}

function findConfiguration(account: StripeAccount, params: FormParams): PortalConfiguration {
  const id = params.getText('configuration');
  if (typeof id === 'string') return account.get('billing_portal.configuration', id, 'configuration');
  const found = account.list('billing_portal.configuration').find((each) => each.is_default);
  if (found) return found;
  throw createInvalidRequest(
    'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode.',
  );
}

function parsePortalFlow(
  account: StripeAccount,
  flow: FormParams,
  configuration: PortalConfiguration,
): PortalFlow {
  const type = flow.requireText('type');
  const completion = flow.getNested('after_completion');
  const returnUrl = completion.getNested('redirect').getText('return_url');
  return {
    type,
    after_completion: {
      type: completion.getText('type') ?? 'portal_homepage',
      redirect: typeof returnUrl === 'string' ? { return_url: returnUrl } : null,
    },
    subscription_update_confirm:
      type === 'subscription_update_confirm'
        ? parseSubscriptionUpdate(account, flow.getNested('subscription_update_confirm'), configuration)
        : null,
  };
}

function parseSubscriptionUpdate(
  account: StripeAccount,
  params: FormParams,
  { features }: PortalConfiguration,
) {
  const param = 'flow_data[subscription_update_confirm]';
  const subscription = account.get(
    'subscription',
    params.requireText('subscription'),
    `${param}[subscription]`,
  );
  const { enabled, products } = features.subscription_update;
  if (!enabled)
    throw createInvalidRequest(
      'This subscription cannot be updated because the subscription update feature in the portal configuration is disabled.',
    );
  if (subscription.status === 'canceled')
    throw createInvalidRequest('This subscription cannot be updated because it is canceled.');
  const current = getOnlyItem(subscription);
  const items = params.getList('items').map((item) => ({
    id: item.requireText('id'),
    price: item.getText('price') ?? current.price.id,
    quantity: item.getInteger('quantity') ?? current.quantity,
  }));
  for (const { id, price } of items) {
    if (id !== current.id)
      throw createInvalidRequest(`No such subscription item: '${id}'`, { param: `${param}[items][0][id]` });
    account.get('price', price, `${param}[items][0][price]`);
    if (!products.some(({ prices }) => prices.includes(price)))
      throw createInvalidRequest(
        `The item you are attempting to update to is not part of the portal configuration: ${price}.`,
        { param: `${param}[items][0][price]` },
      );
    if (price === current.price.id)
      throw createInvalidRequest('The subscription already has this price; there is nothing to confirm.', {
        param: `${param}[items][0][price]`,
      });
  }
  return { subscription: subscription.id, items };
}
