import { Type, type Static } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { AppError } from '../../../core/errors/errors.ts';
import { compilesQuickly } from '../../../core/errors/schema-compiler.ts';
import { isUuid } from '../../../core/ids.ts';

/** What PostgreSQL takes as text, among other things. */
const name = Type.String({ pattern: '^[\\w.:-]{1,255}$' });
const reference = Type.Optional(Type.Union([name, Type.Null(), Type.Object({ id: name })]));
const ProviderEvent = Type.Object({
  id: name,
  type: name,
  livemode: Type.Boolean(),
  data: Type.Object({
    object: Type.Object({
      id: Type.Optional(name),
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

/** Types of events after which something is to be asked; what else happens at the provider changes nothing here. */
const TELLING =
  /^(checkout\.session\.|customer\.(subscription\.|tax_id\.|updated$|deleted$)|invoice\.(paid|payment_failed|voided|finalized|marked_uncollectible)$|charge\.refund)/;

/** What an event is about; nothing else of it counts. */
export interface EventFacts {
  id: string;
  type: string;
  isLive: boolean;
  /** Whether it may change anything here. */
  isTelling: boolean;
  customerId: string | null;
  /** Of a checkout session, which names the checkout that it was made for. */
  session: { id: string; checkoutId: string } | null;
}

/** Null for what is no event. @throws AppError `malformed_json` */
export function factsOfEvent(body: Buffer): EventFacts | null {
  const event = parsed(body);
  if (!isProviderEvent(event)) return null;
  const { id, type, livemode, data } = event;
  const { object } = data;
  const isCustomer = object.object === 'customer';
  return {
    id,
    type,
    isLive: livemode,
    isTelling: TELLING.test(type),
    customerId: isCustomer ? (object.id ?? null) : idOf(object.customer),
    session: sessionOf(object),
  };
}

function sessionOf({ id, object, metadata }: ProviderEvent['data']['object']): EventFacts['session'] {
  if (object !== 'checkout.session' || id === undefined) return null;
  const { checkout_id: checkoutId } = (metadata ?? {}) as { checkout_id?: unknown };
  return typeof checkoutId === 'string' && isUuid(checkoutId) ? { id, checkoutId } : null;
}

function idOf(reference: ProviderEvent['data']['object']['customer']): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError('malformed_json', 'The body is not JSON.', { cause });
  }
}
