import { call, startInstallation, type Installation } from './support/installation.ts';
import { roundTo, type Figure } from './support/figure.ts';

const DESCRIPTIONS = [
  'Harbour Bikes is a bicycle workshop in Lisbon that repairs and rents bicycles. The bot tells visitors what things cost and asks for their phone number when they want an offer.',
  'We run a small dental practice in Leeds with two dentists. The assistant answers questions about treatments and opening hours, and never gives medical advice.',
  'Bäckerei Sonne backt in Freiburg Brot und Kuchen, auch auf Bestellung. Der Assistent hilft bei Bestellungen und Allergenen.',
  'An online shop for second-hand cameras and lenses, with shipping in Europe and a return policy of thirty days.',
  'A city library that lends books, films and games, with reading groups for children on Saturdays.',
];
const ADDRESS = 'BENCH_MODEL_BASE_URL';

/** Generates bots from five descriptions with a real language model, whose URL an environment variable contains. */
export async function benchDrafts(): Promise<Figure[]> {
  const baseUrl = process.env[ADDRESS];
  if (!baseUrl)
    throw new Error(`Set ${ADDRESS} to an OpenAI-compatible address, and BENCH_MODEL to its model.`);
  const installation = await startInstallation({
    PARLEY_MODEL_BASE_URL: baseUrl,
    PARLEY_MODEL: process.env['BENCH_MODEL'] ?? 'small',
  });
  try {
    const figures: Figure[] = [];
    for (const description of DESCRIPTIONS) figures.push(await measureDraft(installation, description));
    return figures;
  } finally {
    await installation.stop();
  }
}

async function measureDraft(installation: Installation, description: string): Promise<Figure> {
  const startedAt = performance.now();
  const { bot, blueprint } = await call<{
    bot: { id: string };
    blueprint: { name: string; welcome_message: string };
  }>(installation, 'POST', '/api/bots/generate', { description });
  const seconds = (performance.now() - startedAt) / 1000;
  const [version] = await call<{ note: string }[]>(installation, 'GET', `/api/bots/${bot.id}/versions`);
  return {
    bench: 'drafts',
    figure: description.slice(0, 40),
    value: roundTo(seconds, 1),
    unit: 's',
    note: `${blueprint.name}: ${blueprint.welcome_message} (${version?.note})`,
  };
}
