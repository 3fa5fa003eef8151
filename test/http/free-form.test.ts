import assert from 'node:assert/strict';
import { buildBot } from '../support/build-bot.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type ApiClient, type SharedParley } from '../support/parley.ts';
import { signInAs } from '../team/support.ts';

/** JSON text with the key `__proto__`, which an object literal cannot have. */
const HOSTILE =
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"toString":null,"toJSON":"text","":"empty",' +
  '"a.b":[[[1]]],"id":"another","null":[null],"number":1e21,"half":0.1,"emoji":"😀","quote\\"d":"\\\\"}';

const nestLevels = (levels: number): unknown => (levels === 0 ? 1 : { inside: nestLevels(levels - 1) });
const buildKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`own_${index}`, index]));
/** Builds an object `{"text":"…"}` with this many bytes of JSON. */
const buildSized = (bytes: number) => ({ text: 'é'.repeat((bytes - 12) / 2) + 'x' });

interface Place {
  /** Name of the request body's field that takes a free-form object. */
  field: string;
  /** Sends the JSON as the value of the field, and returns the outcome and the stored value. */
  store(json: string): Promise<{ outcome: string; field: string | undefined; stored: string }>;
}

describe('free-form objects of requests', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  function buildPlace(client: ApiClient, path: string, field: string): Place {
    return {
      field,
      store: async (json) => {
        const changed = await client.patch(path, `{"${field}":${json}}`);
        const { body: read } = await client.get(path);
        return {
          outcome: formatOutcome(changed),
          field: changed.status === 422 ? changed.problem.details[0]!.field : undefined,
          stored: JSON.stringify((read as Record<string, unknown>)[field]),
        };
      },
    };
  }

  const places: Record<string, () => Promise<Place>> = {
    handoff_config: async () => {
      const { client, bot } = await buildBot(parley);
      return buildPlace(client, `/api/bots/${bot.id}`, 'handoff_config');
    },
    settings: async () => {
      const { client, orgId } = await signInAs(parley);
      return buildPlace(client, `/api/orgs/${orgId}`, 'settings');
    },
  };

  for (const [field, build] of Object.entries(places))
    describe(`in ${field}`, () => {
      it('may have undocumented keys, which are stored as sent, whatever their names', async () => {
        const { store } = await build();
        const { outcome, stored } = await store(HOSTILE);
        assert.equal(outcome, '200');
        const sent = JSON.parse(HOSTILE) as Record<string, unknown>;
        // Leave the key with null out, because null removes a key from the settings.
        if (field === 'settings') delete sent['toString'];
        assert.deepEqual(sortedEntries(JSON.parse(stored) as object), sortedEntries(sent));
        assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
      });

      for (const [what, value] of [
        ['64 keys', buildKeys(64)],
        ['64 keys in a nested object', { own: buildKeys(64) }],
        ['five levels', nestLevels(5)],
        ['five levels of lists', { own: [[[[1]]]] }],
        ['16 KB', buildSized(16_384)],
      ] as const)
        it(`may have ${what}`, async () => {
          const { outcome, stored } = await (await build()).store(JSON.stringify(value));
          assert.deepEqual([outcome, JSON.parse(stored)], ['200', value]);
        });

      for (const [what, value] of [
        ['65 keys', buildKeys(65)],
        ['65 keys in a nested object', { own: buildKeys(65) }],
        ['six levels', nestLevels(6)],
        ['six levels of lists', { own: [[[[[1]]]]] }],
        ['more than 16 KB', buildSized(16_386)],
      ] as const)
        it(`are refused with ${what}; the error names the field, and nothing changes`, async () => {
          const { store } = await build();
          const { stored } = await store('{"own":1}');
          assert.deepEqual(await store(JSON.stringify(value)), {
            outcome: '422 validation_error',
            field,
            stored,
          });
        });

      for (const [what, json, named] of [
        ['NUL in a value', '{"own":"\\u0000"}', `${field}.own`],
        ['NUL in a key', '{"o\\u0000":1}', field],
        ['a lone surrogate', '{"own":["\\ud800"]}', `${field}.own[0]`],
        ['a number beyond double precision', `{"own":1${'0'.repeat(400)}}`, `${field}.own`],
        ['a list', '[]', field],
        ['a text', '"{}"', field],
      ] as const)
        it(`are refused with ${what}`, async () => {
          const { outcome, field: refused } = await (await build()).store(json);
          assert.deepEqual([outcome, refused], ['422 validation_error', named]);
        });

      it('get the last value of a duplicate key', async () => {
        const { stored } = await (await build()).store('{"own":1,"own":{"a":2}}');
        assert.deepEqual(JSON.parse(stored), { own: { a: 2 } });
      });
    });

  itInSoak(
    'are refused with one error for any number of excess keys, at each level, whatever their names',
    async () => {
      const { client, bot } = await buildBot(parley);
      const readMessage = async (json: string) => {
        const { problem } = await client.patch(`/api/bots/${bot.id}`, `{"handoff_config":${json}}`);
        return problem.details.map(({ field, message }) => `${field} ${message}`);
      };
      const numbered = Object.fromEntries(Array.from({ length: 19_000 }, (_, index) => [index * 7919, 1]));
      const refused = await readMessage(JSON.stringify(buildKeys(65)));
      assert.match(
        refused[0]!,
        /^handoff_config must have at most 64 undocumented keys; this also applies to each nested object$/,
      );
      for (const many of [buildKeys(19_000), numbered, { accepts_when_closed: true, ...buildKeys(19_000) }])
        assert.deepEqual(await readMessage(JSON.stringify(many)), refused);
      assert.deepEqual(await readMessage(JSON.stringify({ inside: [buildKeys(19_000)] })), refused);
      assert.deepEqual(await readMessage(`{"__proto__":${JSON.stringify(buildKeys(19_000))}}`), refused);
      const both = await readMessage(JSON.stringify({ accepts_when_closed: 'no', ...buildKeys(19_000) }));
      assert.match(both.join(), /accepts_when_closed must be/);
    },
  );

  describe('in widget_theme', () => {
    const path = (bot: { id: string }) => `/api/bots/${bot.id}` as const;

    itInSoak('may have 1,000 values at any depth, but not 1,001', async () => {
      const { client, bot } = await buildBot(parley);
      const shapes = [
        (count: number) => buildKeys(count),
        (count: number) => ({ inside: buildKeys(count - 1) }),
        (count: number) => ({ dark_palette: buildKeys(count - 1) }),
        (count: number) => ({ inside: [1, { deeper: buildKeys(count - 4) }] }),
      ];
      for (const build of shapes) {
        const most = build(1000);
        assert.equal((await client.patch(path(bot), { widget_theme: null })).status, 200);
        const { status, body } = await client.patch(path(bot), { widget_theme: most });
        assert.deepEqual([status, body.widget_theme], [200, most]);
        for (const count of [1001, 19_000]) {
          const { problem } = await client.patch(path(bot), { widget_theme: build(count) });
          assert.deepEqual(
            problem.details.map(({ field, code }) => [field, code]),
            [['widget_theme', 'maxValues']],
          );
        }
        assert.deepEqual((await client.get(path(bot))).body.widget_theme, most);
      }
    });

    it('are refused if their values and the stored values are more than 1,000 in total', async () => {
      const { client, bot } = await buildBot(parley);
      assert.equal((await client.patch(path(bot), { widget_theme: buildKeys(1000) })).status, 200);
      const refused = await client.patch(path(bot), { widget_theme: { one_more: 1 } });
      assert.deepEqual([refused.status, refused.problem.details[0]!.field], [422, 'widget_theme']);
      const swapped = await client.patch(path(bot), { widget_theme: { one_more: 1, own_0: null } });
      assert.equal(swapped.status, 200, JSON.stringify(swapped.body));
    });
  });

  itInSoak('with 19,900 keys block the event loop for less than 35 ms', async () => {
    const { client, bot } = await buildBot(parley);
    const owner = await signInAs(parley);
    const many = JSON.stringify(buildKeys(19_900));
    const requests: [string, () => Promise<{ status: number }>][] = [
      ['handoff_config', () => client.patch(`/api/bots/${bot.id}`, `{"handoff_config":${many}}`)],
      ['widget_theme', () => client.patch(`/api/bots/${bot.id}`, `{"widget_theme":${many}}`)],
      [
        'dark_palette',
        () => client.patch(`/api/bots/${bot.id}`, `{"widget_theme":{"dark_palette":${many}}}`),
      ],
      ['settings', () => owner.client.patch(`/api/orgs/${owner.orgId}`, `{"settings":${many}}`)],
      [
        'a key of settings',
        () => owner.client.patch(`/api/orgs/${owner.orgId}`, `{"settings":{"a":${many}}}`),
      ],
    ];
    for (const [name, send] of requests)
      await assertLoopBlockedBelow(35, async () => assert.equal((await send()).status, 422), name);
  });

  it('in handoff_config replace the stored object, and keep undocumented keys when a bot is restored, duplicated or created', async () => {
    const { client, bot } = await buildBot(parley);
    const path = `/api/bots/${bot.id}` as const;
    const config = { waiting_message: 'Wait.', routing: { queue: 'b', skills: ['de', null] } };
    assert.deepEqual((await client.patch(path, { handoff_config: config })).body.handoff_config, config);
    const { body: version } = await client.post(`${path}/versions`, {});
    assert.deepEqual(version.snapshot['handoff_config'], config);

    const other = { crm: 7 };
    assert.deepEqual((await client.patch(path, { handoff_config: other })).body.handoff_config, other);
    const restored = await client.post(`${path}/versions/${version.version}/restore`);
    assert.deepEqual([restored.status, restored.body], [200, { ...restored.body, handoff_config: config }]);
    assert.deepEqual((await client.post(`${path}/duplicate`, {})).body.handoff_config, config);
    const created = await client.post('/api/bots', { name: 'Desk', handoff_config: config });
    assert.deepEqual([created.status, created.body.handoff_config], [201, config]);
  });

  it('in settings are merged by key; null removes a key, and stored keys count toward the limit', async () => {
    const { client, orgId } = await signInAs(parley);
    const path = `/api/orgs/${orgId}` as const;
    const patchSettings = async (settings: object) => (await client.patch(path, { settings })).body.settings;
    assert.deepEqual(
      await patchSettings({ default_language: 'de', crm: { id: 7, tags: [null], note: null } }),
      {
        default_language: 'de',
        crm: { id: 7, tags: [null], note: null },
      },
    );
    assert.deepEqual(await patchSettings({ crm: { id: 8 }, plan: 'gold' }), {
      default_language: 'de',
      crm: { id: 8 },
      plan: 'gold',
    });
    assert.deepEqual(await patchSettings({ crm: null, default_language: null }), { plan: 'gold' });
    assert.deepEqual((await client.get('/api/orgs')).body[0]!.settings, { plan: 'gold' });

    const { status, problem } = await client.patch(path, { settings: buildKeys(64) });
    assert.deepEqual([status, problem.details[0]!.field], [422, 'settings']);
    assert.deepEqual(await patchSettings({ ...buildKeys(63), plan: null }), buildKeys(63));
    assert.deepEqual(await patchSettings({ own_63: 63 }), buildKeys(64));
    // Keys of settings that the API documents do not count toward the limit of 64.
    assert.deepEqual(await patchSettings({ time_zone: 'UTC' }), { ...buildKeys(64), time_zone: 'UTC' });
  });

  itInSoak('in settings from simultaneous requests are all stored', async () => {
    const { client, orgId } = await signInAs(parley);
    const path = `/api/orgs/${orgId}` as const;
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => client.patch(path, { settings: { [key]: 1 } })));
    assert.deepEqual((await client.get(path)).body.settings, { a: 1, b: 1, c: 1, d: 1 });
  });
});

/** Lists the entries of an object, because an object literal cannot have a key `__proto__`. */
function sortedEntries(object: object): [string, string][] {
  return Object.entries(object)
    .map(([key, value]): [string, string] => [key, JSON.stringify(value)])
    .toSorted();
}
