import assert from 'node:assert/strict';
import { AwsKms } from '../../../adapters/keys/services/aws-kms.ts';
import { generateKey } from '../../../adapters/keys/data-key.ts';
import { KeyServiceError } from '../../../adapters/keys/services/key-service.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { KeyServiceFront } from '../../support/key-service-front.ts';
import { Moto } from '../../support/moto.ts';
import { ScriptedKms } from '../../support/scripted-kms.ts';

const REGION = 'eu-central-1';
const PLACE = { orgId: '0198a0c4-0000-7000-8000-000000000001', version: 3 };

describe('AWS KMS as a key service', () => {
  const client = OutboundClient.createTrusted({ userAgent: 'Parley/1.0' });
  after(() => client.close());

  const kmsAt = (url: string, keyArn: string, secret = 'secret') => {
    const config = { type: 'aws_kms', key_arn: keyArn, region: REGION } as const;
    return new AwsKms(client, config, { access_key_id: 'AKIATEST', secret_access_key: secret }, url);
  };

  describe('over its wire format', () => {
    let moto: Moto;
    let front: KeyServiceFront;
    before(async function () {
      const started = await Moto.start();
      if (!started) return this.skip();
      moto = started;
      front = await KeyServiceFront.start(moto.url);
    });
    after(() => Promise.all([front?.stop(), moto?.stop()]));

    it('wraps a key, and unwraps it only for the same workspace and version', async () => {
      const kms = kmsAt(front.url, await moto.createKey(REGION));
      const key = generateKey();
      const wrapped = await kms.wrap(key, PLACE);
      assert.ok((await kms.unwrap(wrapped, PLACE)).equals(key));
      await assert.rejects(kms.unwrap(wrapped, { ...PLACE, version: 4 }), refusal);
      await assert.rejects(kms.unwrap(wrapped, { ...PLACE, orgId: 'another' }), refusal);
      assert.deepEqual(
        front.requests.map(({ target }) => target),
        ['TrentService.Encrypt', ...Array.from({ length: 3 }, () => 'TrentService.Decrypt')],
      );
    });

    it('refuses to unwrap a key that another key has wrapped', async () => {
      const [first, second] = [await moto.createKey(REGION), await moto.createKey(REGION)];
      const wrapped = await kmsAt(front.url, first).wrap(generateKey(), PLACE);
      await assert.rejects(kmsAt(front.url, second).unwrap(wrapped, PLACE), refusal);
    });
  });

  describe('that fails', () => {
    let server: ScriptedKms;
    before(async () => (server = await ScriptedKms.start({ secret: 'secret', region: REGION })));
    after(() => server.stop());

    const kms = (secret?: string) => kmsAt(server.url, 'arn:aws:kms:eu-central-1:111122223333:key/a', secret);

    it('reports a signature with a wrong secret as a refusal', async () => {
      server.respond = null;
      assert.equal(await kms().wrap(generateKey(), PLACE), 'd3JhcHBlZA==');
      await assert.rejects(kms('another').wrap(generateKey(), PLACE), refusal);
    });

    for (const code of [
      'DisabledException',
      'AccessDeniedException',
      'KMSInvalidStateException',
      'NotFoundException',
    ])
      it(`reports ${code} as a refusal`, async () => {
        server.respond = { status: 400, code };
        await assert.rejects(kms().unwrap('d3JhcHBlZA==', PLACE), refusal);
      });

    for (const [status, code] of [
      [400, 'ThrottlingException'],
      [500, 'KMSInternalException'],
      [503, 'DependencyTimeoutException'],
      [500, 'KeyUnavailableException'],
    ] as const)
      it(`reports ${status} ${code} as unavailable`, async () => {
        server.respond = { status, code };
        await assert.rejects(kms().unwrap('d3JhcHBlZA==', PLACE), silence);
      });
  });
});

const refusal = (error: unknown) => error instanceof KeyServiceError && error.failure === 'refused';
const silence = (error: unknown) => error instanceof KeyServiceError && error.failure === 'unreachable';
