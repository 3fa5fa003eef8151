import assert from 'node:assert/strict';
import { findPythonForSdk, runPython, withSdkInPlace } from '../support/python-sdk.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { createEndpoint } from '../webhooks/support.ts';

/** Python program that verifies a webhook and prints its event, or the error. */
const VERIFY = `
import json, sys
from parley import WebhookVerificationError, verify_webhook
given = json.loads(sys.argv[1])
try:
    event = verify_webhook(given["body"], given["headers"], given["secrets"])
    print(json.dumps([event.event, event.data.test, event.delivery_id]))
except WebhookVerificationError as error:
    print(json.dumps(str(error)))
`;

describe('verify_webhook of the Python SDK', () => {
  let parley: SharedParleyWithWorker;
  let receiver: Receiver;

  before(async () => {
    parley = await startSharedParleyWithWorker();
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver?.close();
  });

  it('accepts deliveries of testWebhook, and rejects changed deliveries', async function () {
    const python = findPythonForSdk() ?? this.skip();
    const org = await parley.buildOrg();
    const { id, secret } = await createEndpoint(org, receiver.url);
    await org.client.post(`/api/webhooks/${id}/test`);
    await waitUntil(() => receiver.requests.length === 1, 'the delivery');
    const [{ body, headers } = assert.fail()] = receiver.requests;
    const verifyChanged = async (changes: object): Promise<unknown> => {
      const given = JSON.stringify({ body, headers, secrets: ['whsec_former', secret], ...changes });
      return JSON.parse(await runPython(python, VERIFY, { env: withSdkInPlace }, [given]));
    };
    assert.deepEqual(await verifyChanged({}), [
      JSON.parse(body).event,
      true,
      String(headers['x-webhook-delivery']),
    ]);
    const describeRefusal = (name: string) =>
      `The signature does not match this body with any of the secrets. Check ${name}, which has 12 characters instead of 50 (is it cut off?), and pass the body as received.`;
    assert.equal(await verifyChanged({ body: `${body} ` }), describeRefusal('secrets[0]'));
    assert.equal(await verifyChanged({ secrets: ['whsec_former'] }), describeRefusal('the secret'));
  });
});
