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
  callOperation,
  selectToken,
  type Resources,
} from '../support/operation-calls.ts';
import { useIdentityProviders } from '../accounts/identity-providers.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestParley } from '../support/parley.ts';
import { startScriptedVault } from '../support/scripted-vault.ts';
import {
  readDocumentedExposures,
  toExposureRow,
  HARMLESS,
  needsExposureDecision,
} from './exposing-operations.ts';

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
    assert.deepEqual(
      readDocumentedExposures().toSorted(byName),
      exposing.map(toExposureRow).toSorted(byName),
    );
  });

  it('are classified once each: every write, and every read of content, is in `exposes` or HARMLESS', () => {
    const judged = Object.values(HARMLESS).flat();
    const known = [...judged, ...exposing.map(({ id }) => id)];
    const toJudge = operations.filter(needsExposureDecision).map(({ id }) => id);
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

  it('need a fresh sign-in or an email to owners, unless a service or another proof protects them', () => {
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

  /**
   * Functions that each prepare the state in which an operation grants access. They return the request body
   * to send in place of the valid one.
   */
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
      // Build another workspace for the copy: the operation emails that workspace's owners.
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
      const flow = await createFlowWithRequest(resources, 'https://api.example.com/a');
      await resources.client.post(`/api/flows/${resources.ids['flow_id']!}/activate`);
      return { ...flow, graph: graphThatRequests('https://other.example.com/a') };
    },
    activateFlow: async (resources) =>
      void (await createFlowWithRequest(resources, 'https://api.example.com/a')),
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
      // Let the workspace pay for itself, because only then does it have a billing profile.
      await parley.database.repository(Org).update(orgId, { payerId: orgId });
      return { billing_email: 'accounts@example.com' };
    },
    updateOrg: async () => ({
      settings: {
        key_service: { type: 'vault_transit', url: vault.url, key_name: 'parley', token: 'hvs.token' },
      },
    }),
  };

  const graphThatRequests = (url: string) =>
    buildGraph(
      [buildNode('http_request', { method: 'GET', url }), buildNode('end')],
      'http_request out end',
      'http_request error end',
    );

  async function createFlowWithRequest({ client, ids }: Resources, url: string): Promise<object> {
    const flow = {
      bot_id: ids['bot_id']!,
      name: 'Orders',
      trigger: 'first_message',
      graph: graphThatRequests(url),
    };
    const saved = await client.put(`/api/flows/${ids['flow_id']!}`, flow);
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    return flow;
  }

  /** Builds a child workspace whose owners are two users of its parent. */
  async function buildChildOfTwoOwners(operation: Operation) {
    const { database } = parley;
    const above = await parley.buildOrg();
    const resources = await buildResources(parley, operation);
    const { orgId, userId } = resources;
    await database.repository(Org).update(orgId, { parentOrgId: above.orgId, payerId: above.orgId });
    await database.repository(Membership).update({ orgId, userId }, { orgId: above.orgId });
    return { resources, owners: [above.userId, userId] };
  }

  /** Returns the template names of the security emails that are queued for each user. */
  async function findSecurityMails(userIds: string[]): Promise<Record<string, string[]>> {
    const rows = await parley.database.repository(MailRow).find({ order: { createdAt: 'ASC', id: 'ASC' } });
    const isSecurityMail = ({ template }: MailRow) => mailKinds[template as MailTemplate] === 'security';
    return Object.fromEntries(
      userIds.map((id) => [
        id,
        rows.filter((row) => row.userId === id && isSecurityMail(row)).map(({ template }) => template),
      ]),
    );
  }

  /** Calls the operation and returns the security emails that it queues, by user. */
  async function callAndFindMails(
    operation: Operation,
    { resources, token, people }: { resources: Resources; token: string | undefined; people: string[] },
  ): Promise<Record<string, string[]>> {
    const body = await preparations[operation.id]?.(resources);
    const before = await findSecurityMails(people);
    const answer = await callOperation(operation, parley.client(token), resources.ids, body ? { body } : {});
    assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
    const after = await findSecurityMails(people);
    return Object.fromEntries(people.map((id) => [id, after[id]!.slice(before[id]!.length)]));
  }

  for (const operation of notifying) {
    it(`email each owner once, or the parent’s owners if the workspace has none, even if they turned all other email off (${operation.id})`, async () => {
      const { resources, owners } = await buildChildOfTwoOwners(operation);
      for (const userId of owners) {
        const { client } = await parley.signIn({ userId, orgId: resources.orgId });
        await client.put('/api/email-preferences', { categories: ALL_OFF });
      }
      const token = needsSecondFactor.has(operation.id) ? resources.secondFactorToken : resources.accessToken;
      const mails = await callAndFindMails(operation, { resources, token, people: owners });
      assert.deepEqual(
        Object.values(mails).map(({ length }) => length),
        [1, 1],
        JSON.stringify(mails),
      );
    });

    if (operation.auth !== 'member') continue;
    // Skip updateOrg, which refuses API keys; test/contract/access.test.ts tests that.
    if (operation.id === 'updateOrg') continue;
    itInSoak(`email each owner once if an API key calls them (${operation.id})`, async () => {
      const { resources, owners } = await buildChildOfTwoOwners(operation);
      const token = selectToken(operation, resources);
      const mails = await callAndFindMails(operation, { resources, token, people: owners });
      assert.deepEqual(mails, Object.fromEntries(owners.map((id) => [id, ['access_notice']])));
    });
  }
});
