/** Languages that write several words as one: a question has a compound whose parts the documents have apart. */
const COMPOUNDING = new Set(['danish', 'dutch', 'finnish', 'german', 'hungarian', 'norwegian', 'swedish']);
const LEAST_PART = 4;
/** What may stand between two parts, or end the first of them where it stands alone. */
const JOINTS = ['', 's', 'es', 'n', 'en', 'er', 'e'];
/** Longer words are no words. */
const MAX_COMPOUND = 40;

export interface Split {
  first: string;
  second: string;
}

/** The ways in which a stemmed word may be two, the most even first; none in languages that keep words apart. */
export function splitsOf(lexeme: string, config: string): Split[] {
  const letters = Array.from(lexeme);
  if (!COMPOUNDING.has(config) || letters.length > MAX_COMPOUND || !/^\p{L}+$/u.test(lexeme)) return [];
  const splits: Split[] = [];
  for (let at = LEAST_PART; at <= letters.length - LEAST_PART; at++) {
    const front = letters.slice(0, at).join('');
    const second = letters.slice(at).join('');
    for (const joint of JOINTS) {
      const first = front.slice(0, front.length - joint.length);
      if (front.endsWith(joint) && first.length >= LEAST_PART) splits.push({ first, second });
    }
  }
  const shorter = ({ first, second }: Split) => Math.min(first.length, second.length);
  return splits.sort((a, b) => shorter(b) - shorter(a));
}
