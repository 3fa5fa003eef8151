import { Type, type Static } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { AppError } from '../../../core/errors/errors.ts';
import { compilesQuickly } from '../../../core/errors/schema-compiler.ts';
import { isUuid } from '../../../core/ids.ts';
import { findExcess } from '../../../core/text/json-weight.ts';

/**
 * Maximum size of the JSON in a payment provider's event, which bounds parsing to 20 ms. A normal event has a
 * few hundred values.
 */
const MAX_WEIGHT = { values: 50_000, keys: 5000, levels: 64 };

/**
 * Schema of an id or type in a provider's event. The pattern excludes characters that PostgreSQL cannot
 * store.
 */
const identifier = Type.String({ pattern: '^[\\w.:-]{1,255}$' });
const reference = Type.Optional(Type.Union([identifier, Type.Null(), Type.Object({ id: identifier })]));
const ProviderEvent = Type.Object({
  id: identifier,
  type: identifier,
  livemode: Type.Boolean(),
  data: Type.Object({
    object: Type.Object({
      id: Type.Optional(identifier),
      object: Type.Optional(Type.String()),
      customer: reference,
      metadata: Type.Optional(Type.Unknown()),
    }),
  }),
});
type ProviderEvent = Static<typeof ProviderEvent>;
const isProviderEvent = new Ajv2020({ ...compilesQuickly, strict: false }).compile<ProviderEvent>(
  ProviderEvent,
);

/**
 * Types of the payment provider's events that trigger a sync of billing data. All other events are ignored.
 */
const RELEVANT_TYPE_PATTERN =
  /^(checkout\.session\.|customer\.(subscription\.|tax_id\.|updated$|deleted$)|invoice\.(paid|payment_failed|voided|finalized|marked_uncollectible)$|charge\.refund)/;

/** The fields of a payment provider's event that a sync of billing data needs. */
export interface EventFacts {
  id: string;
  type: string;
  isLive: boolean;
  /** True if the event's type can change stored billing data. */
  isRelevant: boolean;
  customerId: string | null;
  /**
   * Id of the payment provider's checkout session, and id of Parley's checkout for it. Null if the event is
   * not about a checkout session of Parley.
   */
  checkoutSession: { id: string; checkoutId: string } | null;
}

/**
 * Parses an event of the payment provider. Returns null if the body is not an event.
 * @throws AppError `malformed_json` or `payload_too_large`
 */
export function parseProviderEvent(body: Buffer): EventFacts | null {
  const event = parseJson(body);
  if (!isProviderEvent(event)) return null;
  const { id, type, livemode, data } = event;
  const { object } = data;
  const isCustomer = object.object === 'customer';
  return {
    id,
    type,
    isLive: livemode,
    isRelevant: RELEVANT_TYPE_PATTERN.test(type),
    customerId: isCustomer ? (object.id ?? null) : resolveReference(object.customer),
    checkoutSession: parseCheckoutSession(object),
  };
}

function parseCheckoutSession({
  id,
  object,
  metadata,
}: ProviderEvent['data']['object']): EventFacts['checkoutSession'] {
  if (object !== 'checkout.session' || id === undefined) return null;
  const { checkout_id: checkoutId } = (metadata ?? {}) as { checkout_id?: unknown };
  return typeof checkoutId === 'string' && isUuid(checkoutId) ? { id, checkoutId } : null;
}

function resolveReference(reference: ProviderEvent['data']['object']['customer']): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function parseJson(body: Buffer): unknown {
  const json = body.toString('utf8');
  if (findExcess(json, MAX_WEIGHT) !== null)
    throw new AppError('payload_too_large', 'The body has too many values or keys, or is nested too deeply.');
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new AppError('malformed_json', 'The body is not JSON.', { cause });
  }
}
