import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { isBodyRequired, isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { selectSample } from '../support/select-sample.ts';
import {
  buildResources,
  createCaller,
  buildOperationPath,
  type Resources,
} from '../support/operation-calls.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

const malformed = ['{"name":', '{"name":"x",}', '{} {}', Buffer.from([0x22, 0xff, 0x22]), '['.repeat(65)];

const withBody = operations.filter(({ body }) => body);
const withJsonBody = withBody.filter(({ body }) => !isMultipart(body!) && !isRaw(body!));
/**
 * Tested operations: samples of all operations, of those with a body, and of those with a JSON body, which
 * have additional errors.
 */
const sample = new Set([operations, withBody, withJsonBody].flatMap((each) => selectSample(each)));

describe('errors that every operation returns:', () => {
  let parley: SharedParley;
  let resources: Resources;
  before(async () => {
    parley = await startSharedParley();
    resources = await buildResources(parley);
  });

  async function callWithHeaders(
    operation: Operation,
    headers: Record<string, string>,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<string> {
    const response = await createCaller(operation, resources, parley).fetch(
      buildOperationPath(operation, resources.ids),
      {
        method: operation.method,
        headers,
        ...(body !== undefined && { body }),
      },
    );
    return formatOutcome({ status: response.status, body: await response.json() });
  }

  for (const operation of sample) {
    const { id, body, maxBodyBytes } = operation;

    it(`${id} returns 400 for an unknown API version, and 406 for an unavailable media type`, async () => {
      assert.equal(
        await callWithHeaders(operation, { 'x-api-version': '1999-01-01' }),
        '400 unsupported_version',
      );
      assert.equal(await callWithHeaders(operation, { accept: 'image/x-none' }), '406 not_acceptable');
    });

    if (!body) continue;

    it(`${id} returns 415 for another content type, and for a compressed body`, async () => {
      const other = { 'content-type': 'application/x-none' };
      assert.equal(await callWithHeaders(operation, other, 'name=x'), '415 unsupported_media_type');
      const type = isMultipart(body) ? 'multipart/form-data; boundary=x' : 'application/json';
      const compressed = { 'content-type': type, 'content-encoding': 'gzip' };
      assert.equal(
        await callWithHeaders(operation, compressed, Buffer.from(gzipSync('{}'))),
        '415 unsupported_media_type',
      );
    });

    // Skip uploads, which are not JSON, and raw bodies, whose signature is checked before they are parsed.
    if (isMultipart(body) || isRaw(body)) continue;

    it(`${id} returns 400 for broken JSON, and 413 for more than ${maxBodyBytes} bytes`, async () => {
      const json = { 'content-type': 'application/json' };
      for (const text of malformed)
        assert.equal(await callWithHeaders(operation, json, text), '400 malformed_json', String(text));
      if (isBodyRequired(body))
        assert.equal(await callWithHeaders(operation, json, ''), '422 validation_error');
      const tooLong = JSON.stringify('a'.repeat(maxBodyBytes));
      assert.equal(await callWithHeaders(operation, json, tooLong), '413 payload_too_large');
    });

    if (isBodyRequired(body)) continue;

    it(`${id} returns the same response for an empty body, whatever its headers say, as for {}`, async () => {
      const callWithEmptyBody = async (headers: Record<string, string>, text?: string) => {
        const own = await buildResources(parley, operation);
        const received = await createCaller(operation, own, parley).fetch(
          buildOperationPath(operation, own.ids),
          {
            method: operation.method,
            headers,
            ...(text !== undefined && { body: text }),
          },
        );
        const { details } = (await received.json()) as { details?: unknown };
        return { status: received.status, details };
      };
      const response = await callWithEmptyBody({ 'content-type': 'application/json' }, '{}');
      assert.deepEqual(await callWithEmptyBody({}), response);
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain'])
        assert.deepEqual(
          await callWithEmptyBody({ 'content-type': type, 'content-length': '0' }, ''),
          response,
          type,
        );
    });
  }
});
