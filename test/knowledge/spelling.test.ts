import assert from 'node:assert/strict';
import { findQuotes } from '../../core/answers/passage-quotes.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { toPassages } from '../../services/conversations/answering/passages-for-model.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { KnowledgeBench } from './search-support.ts';

const pages = {
  returns: 'You can send the goods back within 30 days. This is our return policy.',
  garden: 'Our house has a garden. The house rules are in the hall.',
  hours: 'Die Öffnungszeiten sind von 9 bis 17 Uhr, am Wochenende bis 20 Uhr.',
  horario: 'O horário do museu é das 9 às 17 horas, também em feriados.',
};

describe('a search for a misspelled question', () => {
  let bench: KnowledgeBench;
  let scope: OrgScope;
  let botId: string;
  before(async () => {
    bench = await KnowledgeBench.open();
    scope = await bench.buildOrg();
    botId = await bench.buildBot(scope);
    for (const [title, text] of Object.entries(pages))
      await bench.addDocument(scope, botId, text, { title, filename: `${title}.md` });
  });
  after(() => bench.close());

  const find = async (query: string, isStrict = true) => {
    const hits = await bench.search.findPassages(scope, botId, { query, limit: 6, isStrict });
    const [quote] = await findQuotes(query, toPassages(hits), isStrict);
    return [hits[0]?.title, quote?.units[0]?.text];
  };

  for (const [question, title, quote] of selectCases(
    [
      ['What is your retrun polcy?', 'returns', 'This is our return policy.'],
      ['Wie sind die Öffnungszieten?', 'hours', pages.hours],
      ['Qual e o horario?', 'horario', pages.horario],
      ['öffnungszeitn', 'hours', pages.hours],
    ] as const,
    2,
  ))
    it(`finds and quotes ${title} for “${question}”`, async () =>
      assert.deepEqual(await find(question), [title, quote]));

  it('does not correct known words, names, codes or short words', async () => {
    assert.deepEqual(await find('Do you rent a horse?', false), [undefined, undefined]);
    assert.deepEqual(await find('Do you deliver to Rules?', false), [undefined, undefined]);
    const [known] = await find('Which house has a garden?');
    assert.equal(known, 'garden');
  });
});
