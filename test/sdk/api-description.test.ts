import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import { describeApi } from '../../scripts/generate/sdk/api-description.ts';
import { camelCase, toMethodName, pascalCase, snakeCase } from '../../scripts/generate/sdk/names.ts';

describe('What the SDKs are generated from', () => {
  const api = describeApi();
  const methods = api.resources.flatMap(({ name, methods }) =>
    methods.map((method) => ({ ...method, fullName: `${name}.${method.name}` })),
  );
  const named = (name: string) => {
    const found = methods.find(({ fullName }) => fullName === name);
    assert.ok(found, name);
    return found;
  };

  it('has a method for every operation, each with a name of its own in either case', () => {
    const ids = new Set(methods.map(({ operationId }) => operationId));
    assert.deepEqual([...ids].sort(), operations.map(({ id }) => id).sort());
    assert.equal(new Set(methods.map(({ fullName }) => fullName)).size, methods.length);
    assert.equal(new Set(methods.map(({ fullName }) => snakeCase(fullName))).size, methods.length);
  });

  it('names methods after what they do, without the thing that the resource is about', () => {
    const names = Object.fromEntries(methods.map(({ operationId, fullName }) => [operationId, fullName]));
    for (const [operationId, fullName] of Object.entries({
      updateBot: 'bots.update',
      uploadDocument: 'knowledge.upload',
      restoreBotVersion: 'versions.restore',
      bulkUpdateConversations: 'conversations.bulkUpdate',
      createWidgetBooking: 'bookings.createWidgetBooking',
      resolveWidgetDirectory: 'directory.resolve',
      streamWidgetMessage: 'widget.streamMessage',
      createApiKey: 'apiKeys.create',
      getEmailPreferences: 'emailPreferences.get',
      listAlertPolicies: 'alerts.list',
      listOrgs: 'orgs.list',
    }))
      assert.equal(names[operationId], fullName);
    assert.equal(toMethodName('listToolInvocations', 'tool-invocations'), 'list');
  });

  it('writes names in each case', () => {
    assert.equal(camelCase('message.started'), 'messageStarted');
    assert.equal(pascalCase('api-keys'), 'ApiKeys');
    assert.equal(snakeCase('getDownload'), 'get_download');
    assert.equal(snakeCase('ConversationStartedEvent'), 'conversation_started_event');
  });

  it('tells pages, lists and streams apart, and how each goes on', () => {
    assert.deepEqual(named('bots.list').answer, { kind: 'pages', item: { kind: 'model', name: 'BotRead' } });
    assert.deepEqual(named('versions.list').answer, {
      kind: 'keyset',
      item: { kind: 'model', name: 'BotVersionRead' },
      parameter: 'before',
      field: 'version',
      defaultLimit: 50,
    });
    assert.deepEqual(named('widget.streamMessage').answer, {
      kind: 'stream',
      union: 'WidgetEvent',
      resume: 'lastEventId',
    });
    assert.deepEqual(named('inbox.stream').answer, { kind: 'stream', union: 'InboxEvent', resume: 'again' });
    assert.deepEqual(named('bots.tryStreaming').answer, {
      kind: 'stream',
      union: 'PlaygroundEvent',
      resume: 'never',
    });
    assert.deepEqual(named('bots.try').answer, {
      kind: 'json',
      type: { kind: 'model', name: 'PlaygroundReply' },
    });
  });

  it('says whose token a method sends, and how its body goes', () => {
    assert.equal(named('bots.get').auth, 'key');
    assert.equal(named('apiKeys.create').auth, 'session');
    assert.equal(named('widget.sendMessage').auth, 'visitor');
    assert.equal(named('directory.resolve').auth, 'visitorIfAny');
    assert.equal(named('auth.login').auth, 'none');
    assert.equal(named('bots.get').takesIdempotencyKey, false);
    assert.equal(named('bots.update').takesIdempotencyKey, true);
    const { body } = named('knowledge.upload');
    assert.ok(body?.kind === 'multipart');
    assert.equal(body.fileField, 'file');
    assert.deepEqual(
      body.fields.map(({ name }) => name),
      ['title'],
    );
    assert.equal(named('billing.receiveEvent').body?.kind, 'raw');
  });

  it('leaves choices open in what is received, and closed in what is only sent', () => {
    const toType = (model: string, field: string) =>
      api.models.find(({ name }) => name === model)?.fields.find(({ name }) => name === field)?.type;
    const values = ['draft', 'active', 'paused', 'archived'];
    assert.deepEqual(toType('BotRead', 'status'), { kind: 'enum', values, isOpen: true });
    assert.deepEqual(toType('BotUpdate', 'status'), {
      kind: 'nullable',
      of: { kind: 'enum', values, isOpen: false },
    });
    // Read and written back.
    assert.deepEqual(
      api.models.filter(({ isSent, isReceived }) => isSent && isReceived).map(({ name }) => name),
      ['DirectoryConfig', 'DirectoryEntry'],
    );
  });

  it('has every event of webhooks with its data', () => {
    const [started] = api.webhookEvents;
    assert.equal(started?.event, 'conversation.started');
    assert.deepEqual(started?.data, { kind: 'model', name: 'ConversationStartedEventData' });
    const data = api.models.find(({ name }) => name === 'ConversationStartedEventData');
    assert.deepEqual(
      data?.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      ['conversation_id', 'bot_id', 'visitor_id', 'page_url', 'started_at', 'event_id', 'occurred_at'],
    );
  });
});
