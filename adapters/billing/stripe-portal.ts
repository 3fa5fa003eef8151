import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { groupItems } from '../../core/group-items.ts';
import type { PlanChange } from './payment-provider.ts';

const MARK = 'parley_prices';

/**
 * Creates Stripe pages on which customers confirm a plan change. Stripe requires a portal configuration that
 * lists all prices. Finds a matching configuration by its metadata, or creates one.
 */
export class StripePortal {
  readonly #stripe: Stripe;
  readonly #configurations = new Map<string, Promise<string>>();

  constructor(stripe: Stripe) {
    this.#stripe = stripe;
  }

  /** Returns the URL of a Stripe page that asks the customer to confirm the plan change. */
  async open(change: PlanChange): Promise<string> {
    const { key, customerId, subscription, priceId, priceIds, returnUrl, cancelUrl } = change;
    const { url } = await this.#stripe.billingPortal.sessions.create(
      {
        customer: customerId,
        configuration: await this.#ensureConfiguration([...priceIds].sort()),
        return_url: cancelUrl,
        flow_data: {
          type: 'subscription_update_confirm',
          after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
          subscription_update_confirm: {
            subscription: subscription.id,
            items: [{ id: subscription.itemId, price: priceId, quantity: 1 }],
          },
        },
      },
      { idempotencyKey: key },
    );
    return url;
  }

  #ensureConfiguration(priceIds: string[]): Promise<string> {
    const mark = createHash('sha256').update(priceIds.join()).digest('hex').slice(0, 32);
    const cached = this.#configurations.get(mark);
    if (cached) return cached;
    const configurationId = this.#findConfiguration(mark).then(
      (id) => id ?? this.#createConfiguration(mark, priceIds),
    );
    this.#configurations.set(mark, configurationId);
    configurationId.catch(() => this.#configurations.delete(mark));
    return configurationId;
  }

  async #findConfiguration(mark: string): Promise<string | undefined> {
    const { data } = await this.#stripe.billingPortal.configurations.list({ active: true, limit: 100 });
    return data.find(({ metadata }) => metadata?.[MARK] === mark)?.id;
  }

  async #createConfiguration(mark: string, priceIds: string[]): Promise<string> {
    const prices = await Promise.all(priceIds.map((id) => this.#stripe.prices.retrieve(id)));
    const pricesByProduct = groupItems(prices, ({ product }) =>
      typeof product === 'string' ? product : product.id,
    );
    const { id } = await this.#stripe.billingPortal.configurations.create(
      {
        metadata: { [MARK]: mark },
        features: {
          subscription_update: {
            enabled: true,
            default_allowed_updates: ['price'],
            products: pricesByProduct.map(([product, group]) => ({
              product,
              prices: group.map(({ id }) => id),
            })),
            proration_behavior: 'always_invoice',
          },
          payment_method_update: { enabled: true },
          invoice_history: { enabled: true },
        },
      },
      { idempotencyKey: `parley/portal-configuration/${mark}` },
    );
    return id;
  }
}
