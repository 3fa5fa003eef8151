import type { Embedder, Vector } from './embedder.ts';

/**
 * Typical cosines between the vectors of an embedding model: between questions and unrelated passages, and
 * between questions and their answers. Cosines differ between models: the cosine of unrelated texts is 0.05
 * for some models, 0.75 for others.
 */
export interface ModelScale {
  mean: number;
  /** Standard deviation of one question's cosines to different passages. */
  deviation: number;
  /**
   * Number of standard deviations by which the cosines of passages that answer a question exceed the mean.
   */
  related: number;
}

/**
 * Questions to measure a model with, each with a passage that answers it. Their subjects differ, so that
 * other passages are unrelated.
 */
const SAMPLES: readonly (readonly [question: string, passage: string])[] = [
  [
    'How long does delivery take?',
    'Orders leave our warehouse within one working day. Delivery takes two to four days, and abroad up to ten.',
  ],
  [
    'Can I return a jacket that does not fit?',
    'Clothes can be sent back within 30 days, unworn and with their label. We refund the price to the card that paid.',
  ],
  [
    'Why is the sky red in the evening?',
    'Light of the low sun crosses more air than at noon. Blue light is scattered on the way, so that mostly red light arrives.',
  ],
  [
    'At what temperature do I bake the bread?',
    'Knead flour, water, salt and yeast, and let the dough rise for two hours. Then bake it at 230 degrees for 40 minutes.',
  ],
  [
    'How do I reset my password?',
    'Open the settings of your account and choose Security. A link to set a new password arrives by email and works once.',
  ],
  [
    'Who pays for repairs in a rented flat?',
    'The landlord keeps heating, pipes and windows in order. Tenants pay for damage that they caused themselves.',
  ],
  [
    'Is this medicine safe for children?',
    "The tablets relieve headache and fever. Children under twelve years must not take them without a doctor's advice.",
  ],
  [
    'How many players are on a volleyball team?',
    'Six players of each team stand on the court, three of them at the net. A set is won with 25 points and a lead of two.',
  ],
  [
    'When did the castle burn down?',
    'The castle was built in the thirteenth century above the river. A fire destroyed the eastern tower in 1689.',
  ],
  [
    'Which composer wrote this opera?',
    'The opera was first performed in Venice. Its composer had written it within six weeks, after an old legend.',
  ],
  [
    'What do hedgehogs eat in winter?',
    'Hedgehogs eat beetles, worms and snails. From November to March they sleep under leaves and live on their fat.',
  ],
  [
    'Do I need a visa for two weeks?',
    'Visitors may stay for 90 days without a visa if their passport is valid for six more months. Work needs a permit.',
  ],
  [
    'How is the monthly interest calculated?',
    'Interest is a twelfth of the yearly rate on the lowest balance of the month. It is credited on the last banking day.',
  ],
  [
    'Will it rain at the weekend?',
    'A front crosses the north on Friday and brings showers. Saturday and Sunday stay dry with light wind from the east.',
  ],
  [
    'How old must students be for the exam?',
    'The exam takes place in June and consists of three written parts. Candidates must be at least sixteen years old.',
  ],
  [
    'What does the yellow engine light mean?',
    'A yellow lamp shows a fault of the exhaust system. You may drive on carefully, but have the car checked soon.',
  ],
];

/**
 * Minimum standard deviation of cosines. It applies to a model that returns the same vector for all texts, so
 * that its passages never stand out.
 */
const MIN_DEVIATION = 0.001;

/**
 * Measures the typical cosines of an embedding model by 16 questions and 16 passages.
 * @throws EmbeddingError, or the signal's reason
 */
export async function measureScale(embedder: Embedder, signal: AbortSignal): Promise<ModelScale> {
  const questions: Vector[] = [];
  for (const [question] of SAMPLES) questions.push(await embedder.embedQuestion(question, signal));
  const samples = SAMPLES.map(([, text]) => ({ context: '', text }));
  const passages = await embedder.embedPassages(samples, signal);
  return computeScale(
    questions,
    passages.map(([window]) => window!),
  );
}

/**
 * @param passages vectors of passages: the passage at a question's position answers it, all other passages
 *   are unrelated to it
 */
export function computeScale(questions: readonly Vector[], passages: readonly Vector[]): ModelScale {
  const rows = questions.map((question, index) =>
    passages.filter((_, at) => at !== index).map((passage) => multiplyVectors(question, passage)),
  );
  const means = rows.map(average);
  const variance = average(rows.map((row, at) => average(row.map((value) => (value - means[at]!) ** 2))));
  const mean = average(means);
  const deviation = Math.max(Math.sqrt(variance), MIN_DEVIATION);
  const answers = questions.map((question, index) => multiplyVectors(question, passages[index]!));
  return { mean, deviation, related: (average(answers) - mean) / deviation };
}

export function multiplyVectors(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
