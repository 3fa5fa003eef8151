import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { bookingWorkflowId, webhookDeliveryWorkflowId } from '../../core/workflows/commands.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { signInAs } from '../team/support.ts';

const LINKS = '/api/ext/operator-links';
const UI = 'https://temporal.example.com/ui';

describe('getOperatorLinks', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ PARLEY_TEMPORAL_UI_URL: UI, TEMPORAL_NAMESPACE: 'parley.prod' });
  });
  after(() => parley.stop());

  it('links the workflows of each kind of resource in the installation’s namespace', async () => {
    const { session } = await signInAs(parley);
    const { status, body } = await session.get(LINKS);
    assert.equal(status, 200);
    const workflows = `${UI}/namespaces/parley.prod/workflows`;
    assert.equal(body.temporal_url, workflows);
    const id = newId();
    const queries = Object.entries(body.workflow_urls ?? {}).map(([kind, template]) => {
      const url = new URL(template.replace('{id}', id));
      assert.equal(`${url.origin}${url.pathname}`, workflows);
      return [kind, url.searchParams.get('query')];
    });
    assert.deepEqual(Object.fromEntries(queries), {
      delivery: `WorkflowId="${webhookDeliveryWorkflowId(id)}"`,
      document: `${searchAttributes.documentId.name}="${id}"`,
      booking: `WorkflowId="${bookingWorkflowId(id)}"`,
      conversation: `${searchAttributes.conversationId.name}="${id}"`,
      archive_job: `WorkflowId="archive/${id}"`,
    });
  });

  it('returns no links if no setting names a web UI', async () => {
    const { userId, orgId } = await signInAs(parley);
    const bare = await parley.startAnother({ temporalUiUrl: undefined });
    const { accessToken } = await parley.signIn({ userId, orgId });
    const { body } = await bare.client(accessToken).get(LINKS);
    assert.deepEqual(body, { temporal_url: null, workflow_urls: null });
  });

  it('returns 403 to admins and API keys', async () => {
    const { session } = await signInAs(parley, 'admin');
    const { client } = await signInAs(parley, 'owner');
    for (const caller of [session, client])
      assert.equal(formatOutcome(await caller.get(LINKS)), '403 forbidden');
  });
});
