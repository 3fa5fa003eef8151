import assert from 'node:assert/strict';
import { digestPageInThread } from '../../../adapters/web/page-tasks.ts';

function buildHtmlPage(html: string) {
  const url = 'https://site.example/';
  return { body: Buffer.from(html), contentType: 'text/html; charset=utf-8', url, robots: null };
}

describe('digestPageInThread', () => {
  it('reads the page of a payer without use before the costly pages of another payer', async () => {
    const log: string[] = [];
    const digest = async (payerId: string, html: string): Promise<void> => {
      await digestPageInThread(buildHtmlPage(html), { payerId });
      log.push(payerId);
    };
    const costly = '<b></b>'.repeat(10_000);
    await Promise.all([
      digest('costly', costly),
      digest('costly', costly),
      digest('costly', costly),
      digest('honest', '<title>a</title>'),
    ]);
    assert.deepEqual(log, ['costly', 'honest', 'costly', 'costly']);
  });
});
