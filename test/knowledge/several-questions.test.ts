import assert from 'node:assert/strict';
import { findQuotes } from '../../core/answers/passage-quotes.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { toPassages } from '../../services/conversations/answering/passages-for-model.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { KnowledgeBench } from './search-support.ts';

/** Questions of two parts, with pages of which the first two answer one part each. */
const cases = [
  [
    'What are your opening hours and how much is parking?',
    ['Opening hours', 'We open at nine in the morning.', 'The opening hours are 9:00 to 17:00.'],
    ['Parking', 'Parking costs 4 euros a day.'],
    ['Tickets', 'Tickets are sold at the entrance and online.'],
  ],
  [
    'Wann haben Sie geöffnet und wie viel kostet das Parken?',
    ['Öffnungszeiten', 'Das Museum ist von 9 bis 17 Uhr geöffnet.'],
    ['Anfahrt', 'Das Parken kostet 4 Euro am Tag.'],
    ['Karten', 'Karten gibt es am Eingang und im Internet.'],
  ],
  [
    'Quels sont vos horaires d’ouverture et combien coûte le parking ?',
    ['Horaires', 'Les horaires d’ouverture du musée sont de 9 h à 17 h.'],
    ['Accès', 'Le parking coûte 4 euros par jour.'],
    ['Billets', 'Les billets sont vendus à l’entrée et en ligne.'],
  ],
  [
    '¿Cuál es el horario de apertura y cuánto cuesta el aparcamiento?',
    ['Horario', 'El horario de apertura es de 9 a 17 horas.'],
    ['Acceso', 'El aparcamiento cuesta 4 euros al día.'],
    ['Entradas', 'Las entradas se venden en la puerta y en línea.'],
  ],
  [
    'Quali sono gli orari di apertura e quanto costa il parcheggio?',
    ['Orari', 'Gli orari di apertura vanno dalle 9 alle 17.'],
    ['Arrivare', 'Il parcheggio costa 4 euro al giorno.'],
    ['Biglietti', 'I biglietti si vendono all’ingresso.'],
  ],
  [
    'Qual é o horário de abertura e quanto custa o estacionamento?',
    ['Horário', 'O horário de abertura é das 9 às 17 horas.'],
    ['Acesso', 'O estacionamento custa 4 euros por dia.'],
    ['Bilhetes', 'Os bilhetes são vendidos na entrada.'],
  ],
  [
    '你们的营业时间是几点，停车费多少钱？',
    ['营业时间', '营业时间是早上九点到下午五点。'],
    ['交通', '停车费每天四元。'],
    ['门票', '门票可以在入口购买。'],
  ],
] as const;

describe('a search for a message with two questions', () => {
  let bench: KnowledgeBench;
  let scope: OrgScope;
  before(async () => {
    bench = await KnowledgeBench.open();
    scope = await bench.buildOrg();
  });
  after(() => bench.close());

  for (const [question, ...pages] of selectCases(cases, 2))
    it(`finds and quotes an answer to both parts of “${question}” for a strict bot`, async () => {
      const botId = await bench.buildBot(scope);
      for (const [title, ...text] of pages)
        await bench.addDocument(scope, botId, Buffer.from(`# ${title}\n\n${text.join('\n\n')}\n`), {
          filename: `${title}.md`,
        });
      const hits = await bench.search.findPassages(scope, botId, {
        query: question,
        limit: 6,
        isStrict: true,
      });
      assert.deepEqual(
        hits.slice(0, 2).map(({ title }) => title),
        [pages[0][0], pages[1][0]],
      );
      const quotes = await findQuotes(question, toPassages(hits), true);
      const quoted = quotes.map(({ units }) => units.map(({ text }) => text).join(' '));
      assert.deepEqual([quoted[0]?.includes(pages[0].at(-1)!), quoted[1]], [true, pages[1].at(-1)]);
    });
});
