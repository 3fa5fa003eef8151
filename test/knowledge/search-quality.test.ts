import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrgScope } from '../../database/org-scope.ts';
import { KnowledgeBench } from './search-support.ts';

/** Folders with manuals of Parley’s dependencies, so that they are the same wherever the tests run. */
const manuals = ['node_modules/pino/docs', 'node_modules/undici/docs/docs/api'];

/** Test questions with the pages of the manuals that answer them. */
const questions: [question: string, ...pages: string[]][] = [
  ['How do I hide passwords and other secrets in my logs?', 'redaction.md'],
  ['How can I send logs to several destinations?', 'transports.md'],
  ['How do I make the output readable during development?', 'pretty.md'],
  ['Can I use pino in the browser?', 'browser.md'],
  ['What happens to buffered lines when the process crashes in asynchronous mode?', 'asynchronous.md'],
  ['How do I add the same fields to every line of one module?', 'child-loggers.md'],
  ['How do I log requests of a Fastify or Express server?', 'web.md'],
  ['How long is a version of pino supported?', 'lts.md'],
  ['How do I rotate log files?', 'help.md'],
  ['How fast is pino compared to winston and bunyan?', 'benchmarks.md'],
  ['How do I bundle pino with webpack or esbuild?', 'bundling.md'],
  ['Which options does the logger function accept?', 'api.md'],
  ['How do I change the log level at runtime?', 'api.md'],
  ['How do I retry failed requests automatically?', 'RetryAgent.md', 'RetryHandler.md'],
  ['How do I send requests through a proxy with authentication?', 'ProxyAgent.md', 'Socks5ProxyAgent.md'],
  ['Use proxy settings from the environment variables HTTP_PROXY and NO_PROXY', 'EnvHttpProxyAgent.md'],
  ['How do I mock HTTP requests in tests?', 'MockAgent.md', 'MockPool.md', 'MockClient.md'],
  ['How do I record and play back real responses for testing?', 'SnapshotAgent.md'],
  ['How can I distribute requests over several upstreams?', 'BalancedPool.md', 'RoundRobinPool.md'],
  ['How do I set a cookie on a response header?', 'Cookies.md'],
  ['How do I open a WebSocket connection?', 'WebSocket.md'],
  ['What does UND_ERR_CONNECT_TIMEOUT mean?', 'Errors.md'],
  ['Where can cached responses be stored in SQLite?', 'CacheStore.md'],
  ['How do I follow redirects?', 'RedirectHandler.md', 'Dispatcher.md'],
  ['How do I connect over SOCKS5?', 'Socks5ProxyAgent.md'],
  ['Receive server-sent events', 'EventSource.md'],
  ['How do I parse a MIME type from a content-type header?', 'ContentType.md'],
  ['Which diagnostics channel events are published?', 'DiagnosticsChannel.md', 'diagnostics.md'],
  ['Unencrypted HTTP/2 h2c client', 'H2CClient.md'],
  ['How do I print debug output of undici?', 'Debug.md'],
];

const strangeQuestions = [
  'What is the capital of France?',
  'How do I bake bread?',
  'Who won the world cup in 2018?',
  'Tell me a joke about cats',
  'Do you ship to Germany?',
  'What is the weather tomorrow in Paris?',
  'How much does the premium plan cost?',
  'Can I bring my dog to the hotel?',
  'recipe for apple pie',
  'Which doctor should I see for a cold?',
];

/** Pages of a bicycle shop. The questions about each page use other words and other forms of its words. */
const shops: Record<string, { pages: Record<string, string>; questions: Record<string, string> }> = {
  German: {
    pages: {
      Versand:
        'Wir versenden Fahrräder in alle Länder der Europäischen Union. Die Lieferung dauert drei Werktage und kostet zehn Euro.',
      Rückgabe:
        'Gekaufte Waren können innerhalb von dreißig Tagen zurückgegeben werden. Den Kaufpreis erstatten wir auf Ihr Konto.',
      Garantie:
        'Für den Rahmen gewähren wir zehn Jahre Garantie, für den Akku zwei Jahre. Verschleißteile sind ausgenommen.',
      Werkstatt:
        'Unsere Werkstatt repariert Bremsen, Ketten und Schaltungen. Bitte vereinbaren Sie dafür einen Termin.',
    },
    questions: {
      'Was kosten Lieferungen?': 'Versand',
      'In welches Land wird versendet?': 'Versand',
      'Kann ich eine gekaufte Ware zurückgeben?': 'Rückgabe',
      'Gibt es auf die Rahmen eine Garantie?': 'Garantie',
      'Reparieren Sie auch eine Bremse?': 'Werkstatt',
      'Was ist mit der Rahmengarantie?': 'Garantie',
      'Wo gibt es einen Werkstatttermin?': 'Werkstatt',
    },
  },
  French: {
    pages: {
      Livraison:
        'Nous livrons les vélos dans tous les pays européens. La livraison dure trois jours et coûte dix euros.',
      Retours:
        'Les articles achetés peuvent être retournés pendant trente jours. Le remboursement est fait sur votre compte.',
      Garantie:
        'Le cadre est garanti dix ans et la batterie deux ans. Les pièces d’usure ne sont pas couvertes.',
      Atelier:
        'Notre atelier répare les freins, les chaînes et les dérailleurs. Prenez rendez-vous avant de venir.',
    },
    questions: {
      'Quels pays livrez-vous ?': 'Livraison',
      'Comment retourner un article acheté ?': 'Retours',
      'Les batteries sont-elles garanties ?': 'Garantie',
      'Pouvez-vous réparer un frein ?': 'Atelier',
    },
  },
  Polish: {
    pages: {
      Dostawa:
        'Wysyłamy rowery do wszystkich krajów Unii Europejskiej. Dostawa trwa trzy dni robocze i kosztuje dziesięć euro.',
      Zwroty:
        'Zakupiony towar można zwrócić w ciągu trzydziestu dni. Pieniądze zwracamy na konto bankowe klienta.',
      Gwarancja:
        'Na ramę udzielamy dziesięcioletniej gwarancji, a na baterię dwuletniej. Części zużywalne nie są objęte.',
      Serwis: 'Nasz serwis naprawia hamulce, łańcuchy i przerzutki. Prosimy wcześniej umówić wizytę.',
    },
    questions: {
      'Ile kosztuje dostawa roweru?': 'Dostawa',
      'Jak zwrócić zakupione towary?': 'Zwroty',
      'Czy bateria ma gwarancję?': 'Gwarancja',
      'Naprawa hamulca': 'Serwis',
    },
  },
  Japanese: {
    pages: {
      配送: '自転車は全国に配送します。お届けまで三日かかり、送料は千円です。',
      返品: '購入した商品は三十日以内に返品できます。代金は銀行口座に返金します。',
      保証: 'フレームの保証期間は十年、バッテリーは二年です。消耗品は対象外です。',
      修理: '当店ではブレーキやチェーンを修理します。事前に予約してください。',
    },
    questions: {
      '送料はいくらですか？': '配送',
      商品を返品したいのですが: '返品',
      'バッテリーの保証期間は何年ですか？': '保証',
      'ブレーキの修理は予約が必要ですか？': '修理',
    },
  },
  Chinese: {
    pages: {
      配送: '我们向全国配送自行车。送货需要三天，运费为十元。',
      退货: '购买的商品可以在三十天内退货。货款将退回您的银行账户。',
      保修: '车架保修十年，电池保修两年。易损件不在保修范围内。',
      维修: '我们的车间维修刹车、链条和变速器。请提前预约。',
    },
    questions: {
      '运费是多少？': '配送',
      '怎么退货？': '退货',
      '电池保修多久？': '保修',
      '可以维修刹车吗？': '维修',
    },
  },
};

describe('a search', () => {
  let bench: KnowledgeBench;
  let scope: OrgScope;
  before(async () => {
    bench = await KnowledgeBench.open();
    scope = await bench.buildOrg();
  });
  after(() => bench.close());

  async function findPages(botId: string, pageOf: Map<string, string>, query: string, limit = 6) {
    const hits = await bench.search.search(scope, botId, { query, limit });
    return hits.map(({ documentId }) => pageOf.get(documentId) ?? documentId);
  }

  describe('in the manuals of two libraries', () => {
    let botId: string;
    const pageOf = new Map<string, string>();
    before(async () => {
      botId = await bench.buildBot(scope);
      for (const folder of manuals) {
        for (const filename of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
          const text = readFileSync(join(folder, filename), 'utf8');
          pageOf.set(await bench.addDocument(scope, botId, text, { filename }), filename);
        }
      }
    });

    it('finds the right page first for 85 % of the questions, and among the first three for all', async () => {
      const found = await Promise.all(
        questions.map(async ([question, ...pages]) => {
          const rank = (await findPages(botId, pageOf, question)).findIndex((page) => pages.includes(page));
          return { question, rank };
        }),
      );
      assert.deepEqual(
        found.filter(({ rank }) => rank < 0 || rank > 2),
        [],
      );
      const notFirst = found.filter(({ rank }) => rank !== 0);
      assert.ok(notFirst.length <= questions.length * 0.15, JSON.stringify(notFirst, null, 1));
    });

    for (const question of strangeQuestions) {
      it(`finds nothing for “${question}”`, async () => {
        assert.deepEqual(await findPages(botId, pageOf, question), []);
      });
    }
  });

  for (const [language, { pages, questions: asked }] of Object.entries(shops)) {
    describe(`in ${language}`, () => {
      let botId: string;
      const pageOf = new Map<string, string>();
      before(async () => {
        botId = await bench.buildBot(scope);
        for (const [title, text] of Object.entries(pages)) {
          pageOf.set(await bench.addDocument(scope, botId, text, { title }), title);
        }
      });

      for (const [question, title] of Object.entries(asked)) {
        it(`finds “${title}” for “${question}”`, async () => {
          assert.equal((await findPages(botId, pageOf, question, 1))[0], title);
        });
      }
    });
  }
});
