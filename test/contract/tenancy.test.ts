import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import {
  buildResources,
  callerOf,
  pathOf,
  requestOf,
  validBody,
  type Resources,
} from '../support/operation-calls.ts';
import { outcomeOf } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { everythingStored } from '../support/snapshot.ts';

/** Operations on things that a workspace owns: their paths end in ids. */
const onResources = operations.filter(({ auth, path }) => auth === 'member' && path.includes('{'));
const ofVisitors = operations.filter(({ auth }) => auth === 'visitor');

/** Kinds of the resources that queries name, where the name of the parameter does not say so. */
const kindsOf: Record<string, string> = {
  'listWebhookDeliveries id': 'delivery_id',
  'listFlows before': 'flow_id',
  'listReceipts before': 'receipt_id',
  'listToolInvocations api_key_id': 'key_id',
  'listDocuments parent_id': 'document_id',
  'listInbox assigned_to': 'user_id',
  'listConversationMessages after': 'message_id',
  'listConversationMessages before': 'message_id',
  'listAuditEvents before': 'event_id',
};

/** Parameters that look like ids and name no resource of a workspace. */
const NO_RESOURCES: Record<string, string> = {
  'listAuditEvents resource_id': 'What was deleted is looked for, too.',
  'listBookingSlots booking_calendar_id': 'An id at the calendar’s provider.',
  'listBookingSlots calendar_ids': 'Ids at the calendar’s provider.',
  'listWidgetMessages after': 'A position in the visitor’s own session.',
  'listWidgetMessages before': 'A position in the visitor’s own session.',
};

const NAMES_OF_IDS = /(^|_)(ids?|before|after)$/;
const PATTERN_OF_IDS = '{8}(-';

/** Callers have a workspace, which may be named in a path. */
const ofPeople = operations.filter(({ auth }) => auth !== 'public' && auth !== 'visitor');

describe('ids of other workspaces', () => {
  let parley: TestParley;
  let mine: Resources;
  let foreign: Resources;
  let untouched: object;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
    [mine, foreign] = await Promise.all([buildResources(parley), buildResources(parley)]);
    await addRows(mine);
    await addRows(foreign);
    untouched = await everythingStored(parley);
  });
  after(() => parley.stop());

  /** What is named in queries alone. */
  async function addRows({ orgId, ids }: Resources): Promise<void> {
    const { database } = parley;
    const message = { id: newId(), orgId, conversationId: ids['conversation_id']!, content: 'Hi' };
    await database.repository(Message).insert({ ...message, role: 'user', state: 'complete' });
    const delivery = { id: newId(), orgId, webhookId: ids['id']!, eventId: newId(), payload: {} };
    await database.repository(WebhookDelivery).insert({ ...delivery, event: 'lead.captured' });
    const event = { id: newId(), orgId, userId: newId(), operation: 'updateBot', changedFields: [] };
    await database
      .repository(AuditEvent)
      .insert({ ...event, resourceType: 'bot', ip: '127.0.0.1', requestId: 'req_1' });
    Object.assign(ids, {
      message_id: message.id,
      event_id: event.id,
      delivery_id: delivery.id,
      webhook_id: ids['id'],
      bot_ids: ids['bot_id'],
      default_org_id: ids['org_id'],
    });
  }

  async function responseTo(operation: Operation, ids: Resources['ids'], query = '', asked?: object) {
    const path = pathOf(operation, ids) + query;
    const response = await callerOf(operation, mine, parley).fetch(path, requestOf(operation, asked));
    const isCsv = response.headers.get('content-type')?.startsWith('text/csv');
    const body = isCsv ? csvRows(await response.text()) : await response.json();
    return { status: response.status, body };
  }

  for (const operation of onResources) {
    for (const { name } of idPlaces(operation.params)) {
      it(`are refused by ${operation.id} as ${name}, and unknown ones are not found`, async () => {
        const unknown = await responseTo(operation, { ...mine.ids, [name]: newId() });
        assert.equal(outcomeOf(unknown), '404 not_found');
        assert.ok(foreign.ids[name], `build a ${name} for this test`);
        const refused = await responseTo(operation, { ...mine.ids, [name]: foreign.ids[name] });
        assert.equal(outcomeOf(refused), '403 forbidden');
        assert.deepEqual(await everythingStored(parley), untouched);
      });
    }
  }

  for (const operation of ofPeople) {
    for (const [index, { name }] of bodyIds(operation).entries()) {
      it(`are refused by ${operation.id} as ${name} of its body, and unknown ones are not found`, async () => {
        // The valid body is known once its workspace is there.
        const { withId } = bodyIds(operation)[index]!;
        const responseWith = (id: string) => responseTo(operation, mine.ids, '', withId(id));
        assert.equal(outcomeOf(await responseWith(newId())), '404 not_found');
        assert.ok(foreign.ids[name], `build a ${name} for this test`);
        assert.equal(outcomeOf(await responseWith(foreign.ids[name])), '403 forbidden');
        assert.deepEqual(await everythingStored(parley), untouched);
      });
    }
  }

  for (const operation of operations) {
    for (const name of idParameters(operation)) {
      const place = `${operation.id} ${name}`;
      if (place in NO_RESOURCES) continue;
      it(`are refused by ${operation.id} as ${name} of its query, and unknown ones are not found`, async () => {
        const kind = kindsOf[place] ?? name;
        assert.ok(foreign.ids[kind] && mine.ids[kind], `build a ${kind} for this test`);
        const responseWith = (id: string) => responseTo(operation, mine.ids, `?${name}=${id}`);
        assert.equal(outcomeOf(await responseWith(newId())), '404 not_found');
        assert.equal(outcomeOf(await responseWith(foreign.ids[kind])), '403 forbidden');
        assert.deepEqual(await everythingStored(parley), untouched);
        assert.equal((await responseWith(mine.ids[kind])).status, 200);
        // Owners are mailed about an export.
        if (operation.notifies) untouched = await everythingStored(parley);
      });
    }
  }

  it('are looked for in no parameter but those that operations have', () => {
    const places = operations.flatMap((each) => idParameters(each).map((name) => `${each.id} ${name}`));
    for (const place of [...Object.keys(kindsOf), ...Object.keys(NO_RESOURCES)])
      assert.ok(places.includes(place), place);
  });

  for (const operation of ofVisitors) {
    it(`are refused by ${operation.id}, be it of a session that there is or not`, async () => {
      const visitor = parley.client(mine.visitorToken);
      for (const id of [foreign.ids['session_id']!, newId(), 'none']) {
        const response = await visitor.fetch(
          pathOf(operation, { ...mine.ids, session_id: id }),
          requestOf(operation),
        );
        assert.equal(outcomeOf({ status: response.status, body: await response.json() }), '403 forbidden');
      }
      assert.deepEqual(await everythingStored(parley), untouched);
    });
  }
});

/** Parameters of the query that may be ids. */
function idParameters({ query }: Operation): string[] {
  const properties = Object.entries((query?.['properties'] ?? {}) as Record<string, TSchema>);
  return properties.flatMap(([name, { type, format, pattern = '' }]) => {
    const isId = format === 'uuid' || NAMES_OF_IDS.test(name) || String(pattern).includes(PATTERN_OF_IDS);
    return type === 'string' && isId ? [name] : [];
  });
}

/** Without the line of names. */
function csvRows(text: string): string[] {
  return text.trim().split('\r\n').slice(1);
}

interface IdPlace {
  name: string;
  /** The whole object, valid but for this id. */
  withId(id: string): object;
}

/** Where an object names things by their ids. */
function idPlaces(schema: TSchema | undefined, base: object = {}): IdPlace[] {
  const properties = Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>);
  return properties.flatMap(([name, property]): IdPlace[] => {
    if (property['format'] === 'uuid') return [{ name, withId: (id) => ({ ...base, [name]: id }) }];
    const items = property['items'] as TSchema | undefined;
    if (items?.['format'] === 'uuid') return [{ name, withId: (id) => ({ ...base, [name]: [id] }) }];
    return idPlaces(property).map((inner) => ({
      name: inner.name,
      withId: (id) => ({ ...base, [name]: inner.withId(id) }),
    }));
  });
}

function bodyIds(operation: Operation): IdPlace[] {
  const { body } = operation;
  return body && !isMultipart(body) && !isRaw(body) ? idPlaces(body, validBody(operation)) : [];
}
