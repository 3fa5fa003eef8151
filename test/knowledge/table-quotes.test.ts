import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findQuotes } from '../../core/answers/passage-quotes.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { toPassages } from '../../services/conversations/answering/passages-for-model.ts';
import { KnowledgeBench } from './search-support.ts';

const files = ['rider-handbook.pdf', 'prices-and-memberships.docx', 'refunds-and-damage.md', 'stations.html'];

describe('the quotes for a question about the demo’s documents', () => {
  let bench: KnowledgeBench;
  let scope: OrgScope;
  let botId: string;
  before(async () => {
    bench = await KnowledgeBench.open();
    scope = await bench.buildOrg();
    botId = await bench.buildBot(scope);
    for (const filename of files)
      await bench.addDocument(scope, botId, readFileSync(`demo/documents/${filename}`), { filename });
  });
  after(() => bench.close());

  for (const [question, first] of [
    [
      'What does error code M22 on the display mean?',
      '| M22 | Motor too hot | Ride in Eco for ten minutes |',
    ],
    ['What does M31 mean?', '| M31 | Torque sensor fault | End the hire at the next station |'],
    [
      'When is the Fish Market station closed?',
      '| 007 | Fish Market | 6 | Closed on market days, Wednesday and Saturday from 05:00 to 12:00 |',
    ],
    [
      'How many cargo bikes are at Ferry Terminal?',
      '| 001 | Ferry Terminal | 8 | Kiosk with Harbour Cards and helmets, 06:30 to 21:00 |',
    ],
    ['Is Gull Point open in winter?', '| 058 | Gull Point | 2 | From April to October only |'],
    ['How much is the excess if I damage an electric bike?', '| Electric bike | £400            |'],
    ['What is the excess for a cargo bike?', '| Cargo bike    | £600            |'],
    [
      'How much is an annual pass?',
      '| Annual pass | £138.00 | 60 | City bikes, electric bikes for £0.09 per minute |',
    ],
    [
      'How much deposit is blocked when I hire a cargo bike?',
      'For electric bikes £50.00 and for cargo bikes £120.00 are blocked on your card when the hire begins, and released within 3 working days of its end.',
    ],
    ['Can I return a day pass?', 'Day and weekend passes cannot be returned once the first hire has begun.'],
    [
      'When is the Museum Ship open?',
      'The station on the Museum Ship (036) is open from 09:00 to 20:00 and closed on Mondays.',
    ],
    ['Do you sell gift vouchers?', undefined],
  ] as const)
    it(`begin with the row or sentence that answers “${question}”`, async () => {
      const asked = { query: question, tags: [], limit: 6, isStrict: true };
      const hits = await bench.search.findPassages(scope, botId, asked);
      const [quote] = await findQuotes(question, toPassages(hits), true);
      const rows = quote?.units.filter(({ kind }) => kind === 'row') ?? [];
      assert.equal(quote?.units[0]?.text, first);
      assert.ok(rows.length <= 1, `${rows.length} rows`);
    });
});
