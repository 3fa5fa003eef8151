const SUBJECTS = [
  'The rider',
  'A station',
  'The battery',
  'Every lock',
  'The support team',
  'A member',
  'The repair shop',
  'The network',
];
const VERBS = ['reports', 'checks', 'replaces', 'returns', 'unlocks', 'charges', 'inspects', 'reserves'];
const OBJECTS = [
  'the front light',
  'a damaged basket',
  'the brake cable',
  'the monthly invoice',
  'a spare wheel',
  'the docking port',
  'an unpaid hire',
  'the helmet',
];
const PLACES = [
  'at the harbour',
  'near the old mill',
  'in the workshop',
  'before midnight',
  'after each hire',
  'during the winter',
  'on the north quay',
  'without a fee',
];

/** Builds readable English text of the given length with headings and paragraphs; always the same for a length. */
export function buildProse(characters: number): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; length < characters; index += 1) {
    const pick = (words: string[], stride: number): string =>
      words[Math.floor(index / stride) % words.length]!;
    const heading = index % 60 === 0 ? `\n\n## Section ${index / 60 + 1}\n\n` : '';
    const sentence = `${heading}${pick(SUBJECTS, 1)} ${pick(VERBS, 3)} ${pick(OBJECTS, 5)} ${pick(PLACES, 7)} under rule ${index}. ${index % 8 === 7 ? '\n\n' : ''}`;
    parts.push(sentence);
    length += sentence.length;
  }
  return parts.join('').slice(0, characters);
}
