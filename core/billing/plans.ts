import { Type, type Static } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compilesQuickly } from '../errors/schema-compiler.ts';

export const planTiers = ['free', 'starter', 'pro', 'business', 'enterprise'] as const;
export type PlanTier = (typeof planTiers)[number];

/** Plan tiers that are sold as a monthly subscription. */
export const paidTiers = ['starter', 'pro', 'business'] as const;
export type PaidTier = (typeof paidTiers)[number];

/** Products that a checkout can pay for: subscriptions and top-ups. */
export const products = [...paidTiers, 'topup'] as const;
export type Product = (typeof products)[number];

export const limitNames = ['messages_per_month', 'documents', 'bots', 'seats', 'alerts_per_month'] as const;
export type LimitName = (typeof limitNames)[number];

/**
 * Limits of a plan, by their names in the API; null means unlimited. Monthly limits count calendar months in
 * UTC.
 */
export type Limits = Record<LimitName, number | null>;

/**
 * Price of a product. The amount is only shown to users; the payment provider charges the amount of its own
 * price with this id.
 */
export interface Price {
  amountCents: number;
  /** Currency of the price as an ISO 4217 code in lower case. */
  currency: string;
  /**
   * Id of the price at the payment provider. Undefined if the operator has set no price; users then cannot
   * buy the product.
   */
  priceId: string | undefined;
}

/** Number of messages that one top-up adds to a plan's monthly limit. */
export const TOPUP_MESSAGES = 1000;

const NO_LIMITS: Limits = {
  messages_per_month: null,
  documents: null,
  bots: null,
  seats: null,
  alerts_per_month: null,
};

const LIMITS: Readonly<Record<PlanTier, Limits>> = {
  free: { messages_per_month: 200, documents: 25, bots: 1, seats: 2, alerts_per_month: 50 },
  starter: { messages_per_month: 2000, documents: 250, bots: 3, seats: 5, alerts_per_month: 500 },
  pro: { messages_per_month: 10_000, documents: 2000, bots: 10, seats: 15, alerts_per_month: 3000 },
  business: {
    messages_per_month: 50_000,
    documents: 10_000,
    bots: 50,
    seats: 50,
    alerts_per_month: 15_000,
  },
  enterprise: NO_LIMITS,
};

const AMOUNTS_CENTS: Readonly<Record<Product, number>> = {
  starter: 2900,
  pro: 9900,
  business: 39_900,
  topup: 1500,
};
const CURRENCY = 'usd';

const Limit = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), Type.Null()]));
const isStrict = { additionalProperties: false };
const limits = Object.fromEntries(limitNames.map((name) => [name, Limit])) as Record<LimitName, typeof Limit>;
const price = {
  amount_cents: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
  currency: Type.Optional(Type.String({ pattern: '^[a-z]{3}$' })),
  price_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
};
const Priced = Type.Object({ ...limits, ...price }, isStrict);
const Unpriced = Type.Object(limits, isStrict);

const PlanOverrides = Type.Object(
  {
    free: Type.Optional(Unpriced),
    starter: Type.Optional(Priced),
    pro: Type.Optional(Priced),
    business: Type.Optional(Priced),
    enterprise: Type.Optional(Unpriced),
    topup: Type.Optional(Type.Object(price, isStrict)),
  },
  isStrict,
);
export type PlanOverrides = Static<typeof PlanOverrides>;
const isPlanOverrides = new Ajv2020({ ...compilesQuickly, strict: false }).compile<PlanOverrides>(
  PlanOverrides,
);

/** Error message for an invalid value of `PARLEY_PLANS`. */
export const PLANS_FORM =
  'PARLEY_PLANS must be JSON like {"pro":{"messages_per_month":20000,"amount_cents":9900,"currency":"usd","price_id":"price_…"},"topup":{"price_id":"price_…"}}: limits (messages_per_month, documents, bots, seats, alerts_per_month; null for none) and prices by tier, each with a price_id of its own.';

/** Parses the JSON of the setting that overrides the default plans; null if it is invalid. */
export function parsePlans(json: string): PlanOverrides | null {
  try {
    const overrides: unknown = JSON.parse(json);
    return isPlanOverrides(overrides) && hasDistinctPrices(overrides) ? overrides : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether all products have different price ids. A payment names only its price, from which the
 * product must be clear.
 */
function hasDistinctPrices(overrides: PlanOverrides): boolean {
  const ids = products.flatMap((product) => overrides[product]?.price_id ?? []);
  return new Set(ids).size === ids.length;
}

/** Plans of this installation: the defaults, overridden by the operator's setting. */
export class Plans {
  readonly #overrides: PlanOverrides;
  /** Whether limits apply and plans are sold; true if a payment provider is configured. */
  readonly isEnforced: boolean;

  constructor({ plans, stripeSecretKey }: { plans: string; stripeSecretKey: string | undefined }) {
    this.#overrides = parsePlans(plans) ?? {};
    this.isEnforced = stripeSecretKey !== undefined;
  }

  /** Returns the limits of a plan tier. Without a payment provider, everything is unlimited. */
  getLimits(tier: PlanTier): Limits {
    if (!this.isEnforced) return NO_LIMITS;
    const overrides: Partial<Limits> = this.#overrides[tier] ?? {};
    return Object.fromEntries(
      limitNames.map((name) => [name, overrides[name] === undefined ? LIMITS[tier][name] : overrides[name]]),
    ) as Limits;
  }

  getPrice(product: Product): Price {
    const { amount_cents, currency, price_id } = this.#overrides[product] ?? {};
    return {
      amountCents: amount_cents ?? AMOUNTS_CENTS[product],
      currency: currency ?? CURRENCY,
      priceId: price_id,
    };
  }

  /** Returns the ids of the plan tiers' prices at the payment provider. */
  listTierPriceIds(): string[] {
    return paidTiers.flatMap((tier) => this.getPrice(tier).priceId ?? []);
  }

  /** Finds the plan tier whose price has this id at the payment provider; null if no tier has this price. */
  findTierByPrice(priceId: string): PaidTier | null {
    return paidTiers.find((tier) => this.getPrice(tier).priceId === priceId) ?? null;
  }
}
