import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { buildResources, pathOf, requestOf, validBody, type Resources } from '../support/operation-calls.ts';
import { outcomeOf } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { everythingStored } from '../support/snapshot.ts';

/** Operations on things that a workspace owns: their paths end in ids. */
const onResources = operations.filter(({ auth, path }) => auth === 'member' && path.includes('{'));
const ofVisitors = operations.filter(({ auth }) => auth === 'visitor');

/** What ids of queries are of, where their names do not say so. */
const kindsOf: Record<string, string> = {
  'listWebhookDeliveries id': 'delivery_id',
  'listFlows before': 'flow_id',
  'listReceipts before': 'receipt_id',
  'listToolInvocations api_key_id': 'key_id',
};

describe('ids of other workspaces', () => {
  let parley: TestParley;
  let mine: Resources;
  let foreign: Resources;
  let untouched: object;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
    [mine, foreign] = await Promise.all([buildResources(parley), buildResources(parley)]);
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
    Object.assign(ids, {
      after: message.id,
      delivery_id: delivery.id,
      webhook_id: ids['id'],
      bot_ids: ids['bot_id'],
    });
  }

  async function responseTo(operation: Operation, ids: Resources['ids'], query = '', asked?: object) {
    const path = pathOf(operation, ids) + query;
    const response = await mine.client.fetch(path, requestOf(operation, asked));
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

  for (const operation of operations.filter(({ auth }) => auth === 'member')) {
    for (const { name, withId } of bodyIds(operation)) {
      it(`are refused by ${operation.id} as ${name} of its body, and unknown ones are not found`, async () => {
        const responseWith = (id: string) => responseTo(operation, mine.ids, '', withId(id));
        assert.equal(outcomeOf(await responseWith(newId())), '404 not_found');
        assert.ok(foreign.ids[name], `build a ${name} for this test`);
        assert.equal(outcomeOf(await responseWith(foreign.ids[name])), '403 forbidden');
        assert.deepEqual(await everythingStored(parley), untouched);
      });
    }

    for (const { name } of idPlaces(operation.query)) {
      // What is counted of one thing says whether there is such a thing; lists are only shorter.
      if (operation.errors.includes('not_found')) {
        it(`are refused by ${operation.id} as ${name} of its query, and unknown ones are not found`, async () => {
          const responseWith = (id: string) => responseTo(operation, mine.ids, `?${name}=${id}`);
          assert.equal(outcomeOf(await responseWith(newId())), '404 not_found');
          assert.equal(outcomeOf(await responseWith(foreign.ids[name]!)), '403 forbidden');
        });
        continue;
      }
      it(`find nothing for ${operation.id} as ${name} of its query, as unknown ones do`, async () => {
        const kind = kindsOf[`${operation.id} ${name}`] ?? name;
        const id = foreign.ids[kind];
        assert.ok(id, `build a ${kind} for this test`);
        const found = await responseTo(operation, mine.ids, `?${name}=${id}`);
        assert.deepEqual(found, await responseTo(operation, mine.ids, `?${name}=${newId()}`));
        assert.equal(found.status, 200);
        const listed = found.body as string[] | { items: object[] };
        assert.deepEqual(Array.isArray(listed) ? listed : listed.items, []);
      });
    }
  }

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
