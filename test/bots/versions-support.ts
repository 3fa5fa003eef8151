import assert from 'node:assert/strict';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { BotVersion } from '../../entities/bots/bot-version.entity.ts';
import { buildBot } from '../support/build-bot.ts';
import type { SharedParley } from '../support/parley.ts';

export const ENDPOINT = { endpoint_url: 'https://127.0.0.1:9/chat', auth_header_name: 'Authorization' };

/** Settings of a bot with a non-default value in each field. */
export const FILLED = {
  name: 'Help desk',
  description: 'For the shop.',
  llm_provider: 'custom',
  model: 'm',
  custom_endpoint_config: { ...ENDPOINT, model: 'large', response_path: 'text' },
  system_prompt: 'Be brief.',
  temperature: 1.5,
  max_tokens: 2048,
  thinking_enabled: true,
  thinking_budget_tokens: 4096,
  welcome_message: 'Hello',
  starter_questions: ['Where?', 'When?'],
  fallback_message: 'No idea.',
  strict_kb_mode: true,
  language: 'de',
  lead_capture_config: { enabled: true, fields: [], trigger: 'manual', trigger_value: 2 },
  contact_fields_config: [{ key: 'company', label: 'Company', type: 'text' }],
  directory_config: {
    category_field: 'branch',
    category_label: 'Location',
    choice_field: 'preferred_specialist',
    choice_label: 'Specialist',
    result_field: 'booking_link',
    enabled: true,
    entries: [{ name: 'Dr. Rivera', category: '', link: '', metadata: { a: 1 } }],
  },
  widget_theme: { title: 'Shop', dark_palette: { primary_color: '#111827' } },
  allowed_domains: ['shop.example'],
  is_public: false,
  rate_limit_per_minute: 5,
  monthly_message_cap: 10,
  handoff_enabled: true,
  handoff_config: { waiting_message: 'Wait.', accepts_when_closed: true },
} as const;

/** Builds functions that act on a bot and its versions. */
export function buildVersionActions(parleyOf: () => SharedParley) {
  const build = async (overrides: object = {}) => {
    const built = await buildBot(parleyOf(), overrides);
    const path = `/api/bots/${built.bot.id}` as const;
    return { ...built, path, versions: `${path}/versions` as const };
  };
  type Built = Awaited<ReturnType<typeof build>>;

  async function save({ client, versions }: Built, note?: string | null) {
    const { status, body } = await client.post(versions, note === undefined ? {} : { note });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  const listNumbers = async ({ client, versions }: Built, query = '') =>
    (await client.get(`${versions}${query}`)).body.map(({ version }) => version);

  const change = async ({ client, path }: Built, changes: object) => {
    const { status, body } = await client.patch(path, changes);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  const restore = ({ client, versions }: Built, version: number) =>
    client.post(`${versions}/${version}/restore`);

  const rewrite = ({ bot }: Built, version: number, changes: Partial<BotVersion>) =>
    parleyOf()
      .database.repository(BotVersion)
      .update({ botId: bot.id, version }, changes as object);

  const findBotRow = ({ bot }: Built) => parleyOf().database.repository(Bot).findOneByOrFail({ id: bot.id });

  return { build, save, listNumbers, change, restore, rewrite, findBotRow };
}

export type BuiltBot = Awaited<ReturnType<ReturnType<typeof buildVersionActions>['build']>>;
