import assert from 'node:assert/strict';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import {
  mailCategories,
  mailKinds,
  type MailTemplate,
} from '../../services/mail/rendering/mail-templates.ts';
import {
  buildResources,
  needsSecondFactor,
  responseTo,
  tokenOf,
  type Resources,
} from '../support/operation-calls.ts';
import { useIdentityProviders } from '../accounts/identity-providers.ts';
import { graphOf, node } from '../flows/graphs.ts';
import type { TestParley } from '../support/parley.ts';
import { startScriptedVault } from '../support/scripted-vault.ts';
import { documentedExposures, exposureOf, HARMLESS, isToBeJudged } from './exposing-operations.ts';

const exposing = operations.filter(({ exposes }) => exposes);
const notifying = operations.filter(({ notifies }) => notifies);
const CODE = '314159';
const ALL_OFF = Object.fromEntries(Object.keys(mailCategories).map((category) => [category, false]));
const MODEL = { endpoint_url: 'http://127.0.0.1:9/v1/answers' };

describe('operations that give lasting access or take content out', () => {
  let parley: TestParley;
  let vault: Awaited<ReturnType<typeof startScriptedVault>>;
  const { visit } = useIdentityProviders((started) => ({ parley } = started));
  before(async () => {
    vault = await startScriptedVault();
  });
  after(() => vault.stop());

  it('are the rows of the table in docs/security.md', () => {
    const byName = (a: { operation: string }, b: { operation: string }) =>
      a.operation.localeCompare(b.operation);
    assert.deepEqual(documentedExposures().toSorted(byName), exposing.map(exposureOf).toSorted(byName));
  });

  it('are told apart from all others: each write, and each read of content, is judged once', () => {
    const judged = Object.values(HARMLESS).flat();
    const known = [...judged, ...exposing.map(({ id }) => id)];
    const toJudge = operations.filter(isToBeJudged).map(({ id }) => id);
    assert.deepEqual(
      toJudge.filter((id) => !known.includes(id)),
      [],
      'Give it `exposes`, or a reason in HARMLESS.',
    );
    assert.deepEqual(
      known.filter((id, at) => known.indexOf(id) !== at),
      [],
      'It is judged twice.',
    );
    assert.deepEqual(
      judged.filter((id) => !toJudge.includes(id)),
      [],
      'It is no such operation.',
    );
  });

  it('need a fresh sign-in or a mail to owners, unless a service or a proof of another kind sees to it', () => {
    const without = exposing.filter(({ freshProof, notifies }) => !freshProof && !notifies);
    assert.deepEqual(without.map(({ id }) => id).toSorted(), [
      'acceptInvitation',
      'calendarCallback',
      'changePassword',
      'connectCalendar',
      'connectTelegram',
      'connectWhatsapp',
      'getBotEmbed',
    ]);
    const undeclared = operations.filter(
      ({ exposes, freshProof, notifies }) => !exposes && (freshProof ?? notifies),
    );
    assert.deepEqual(
      undeclared.map(({ id }) => id),
      [],
    );
  });

  /** What the operation needs besides, to be a change; the body, if the usual one is none. */
  const preparations: Record<string, (resources: Resources) => Promise<object | undefined>> = {
    createBot: async () => ({ name: 'Guide', custom_endpoint_config: MODEL }),
    updateBot: async () => ({ custom_endpoint_config: MODEL }),
    restoreBotVersion: async ({ client, ids }) => {
      const bot = `/api/bots/${ids['bot_id']!}` as const;
      await client.patch(bot, { custom_endpoint_config: MODEL });
      const { body } = await client.post(`${bot}/versions`, {});
      await client.patch(bot, { custom_endpoint_config: null });
      ids['version'] = String(body.version);
      return undefined;
    },
    duplicateBot: async ({ client, orgId: parentOrgId, ids }) => {
      await client.patch(`/api/bots/${ids['bot_id']!}`, { custom_endpoint_config: MODEL });
      // Owners of the other workspace are mailed.
      const id = newId();
      const other = {
        id,
        payerId: parentOrgId,
        parentOrgId,
        name: 'Other',
        slug: id,
        planTier: 'enterprise' as const,
      };
      await parley.database.repository(Org).insert(other);
      return { org_id: id };
    },
    linkIdentity: async ({ ids }) => {
      ids['provider'] = 'globex';
      return visit('linked', 'globex');
    },
    saveFlow: async (resources) => {
      const flow = await flowWithRequest(resources, 'https://api.example.com/a');
      await resources.client.post(`/api/flows/${resources.ids['flow_id']!}/activate`);
      return { ...flow, graph: askingGraph('https://other.example.com/a') };
    },
    activateFlow: async (resources) => void (await flowWithRequest(resources, 'https://api.example.com/a')),
    updateWebhook: async () => ({ url: 'http://127.0.0.1:9/other' }),
    replaceWebhookEvents: async ({ client, ids }) => {
      await client.put(`/api/webhooks/${ids['id']!}/events`, { events: ['lead.captured'] });
      return { events: ['lead.captured', 'message.created'] };
    },
    finishAlertVerification: async ({ orgId }) => {
      const codeDigest = parley.runtime.keyring.digest('alert-code', `${orgId}/telegram/123456789/${CODE}`);
      const codeExpiresAt = new Date(Date.now() + 60_000);
      await parley.database
        .repository(AlertDestination)
        .update({ orgId }, { verifiedAt: null, codeDigest, codeExpiresAt, codeTries: 0 });
      return { code: CODE };
    },
    setEncryption: async ({ orgId }) => {
      await parley.database.repository(OrgEncryption).update({ orgId }, { mode: 'tenant' });
      return { mode: 'platform' };
    },
    saveAlertPolicy: async ({ orgId }) => {
      const place = { channel: 'telegram', destination: '987654321' } as const;
      await parley.database
        .repository(AlertDestination)
        .insert({ orgId, ...place, verifiedAt: new Date(), verifiedBy: 'link' });
      return place;
    },
    saveBillingProfile: async ({ orgId }) => {
      // Only a workspace that pays for itself has a profile.
      await parley.database.repository(Org).update(orgId, { payerId: orgId });
      return { billing_email: 'accounts@example.com' };
    },
    updateOrg: async () => ({
      settings: {
        key_service: { type: 'vault_transit', url: vault.url, key_name: 'parley', token: 'hvs.token' },
      },
    }),
  };

  const askingGraph = (url: string) =>
    graphOf(
      [node('http_request', { method: 'GET', url }), node('end')],
      'http_request out end',
      'http_request error end',
    );

  async function flowWithRequest({ client, ids }: Resources, url: string): Promise<object> {
    const flow = {
      bot_id: ids['bot_id']!,
      name: 'Orders',
      trigger: 'first_message',
      graph: askingGraph(url),
    };
    const saved = await client.put(`/api/flows/${ids['flow_id']!}`, flow);
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    return flow;
  }

  /** What the operation is called on: a workspace whose owners are two people of the one above. */
  async function buildBelow(operation: Operation) {
    const { database } = parley;
    const above = await parley.buildOrg();
    const resources = await buildResources(parley, operation);
    const { orgId, userId } = resources;
    await database.repository(Org).update(orgId, { parentOrgId: above.orgId, payerId: above.orgId });
    await database.repository(Membership).update({ orgId, userId }, { orgId: above.orgId });
    return { resources, owners: [above.userId, userId] };
  }

  /** How many mails about security have been queued for each, by their templates. */
  async function mailsOf(userIds: string[]): Promise<Record<string, string[]>> {
    const rows = await parley.database.repository(MailRow).find({ order: { createdAt: 'ASC', id: 'ASC' } });
    const isOfSecurity = ({ template }: MailRow) => mailKinds[template as MailTemplate] === 'security';
    return Object.fromEntries(
      userIds.map((id) => [
        id,
        rows.filter((row) => row.userId === id && isOfSecurity(row)).map(({ template }) => template),
      ]),
    );
  }

  /** Calls it, and returns the mails that follow. */
  async function mailsAfter(
    operation: Operation,
    { resources, token, people }: { resources: Resources; token: string | undefined; people: string[] },
  ): Promise<Record<string, string[]>> {
    const body = await preparations[operation.id]?.(resources);
    const before = await mailsOf(people);
    const answer = await responseTo(operation, parley.client(token), resources.ids, body ? { body } : {});
    assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
    const after = await mailsOf(people);
    return Object.fromEntries(people.map((id) => [id, after[id]!.slice(before[id]!.length)]));
  }

  for (const operation of notifying) {
    it(`${operation.id} mails each owner once, of the workspace above where it has none of its own, with all other mail turned off`, async () => {
      const { resources, owners } = await buildBelow(operation);
      for (const userId of owners) {
        const { client } = await parley.signIn({ userId, orgId: resources.orgId });
        await client.put('/api/email-preferences', { categories: ALL_OFF });
      }
      const token = needsSecondFactor.has(operation.id) ? resources.secondFactorToken : resources.accessToken;
      const mails = await mailsAfter(operation, { resources, token, people: owners });
      assert.deepEqual(
        Object.values(mails).map(({ length }) => length),
        [1, 1],
        JSON.stringify(mails),
      );
    });

    if (operation.auth !== 'member') continue;
    // It takes a person, as another test says.
    if (operation.id === 'updateOrg') continue;
    it(`${operation.id} by an API key mails each owner once`, async () => {
      const { resources, owners } = await buildBelow(operation);
      const token = tokenOf(operation, resources);
      const mails = await mailsAfter(operation, { resources, token, people: owners });
      assert.deepEqual(mails, Object.fromEntries(owners.map((id) => [id, ['access_notice']])));
    });
  }
});
