import { readFileSync } from 'node:fs';

export interface Paragraph {
  id: string;
  article: string;
  text: string;
}

export interface AskedQuestion {
  paragraph: string;
  question: string;
}

/** Reads the English paragraphs of the data set XQuAD, in the folder `xquad/`. */
export const readParagraphs = () => readLines<Paragraph>('paragraphs.en');

/** Reads the questions of the data set XQuAD in a language, one about each paragraph. */
export const readAskedQuestions = (language: string) => readLines<AskedQuestion>(`questions.${language}`);

function readLines<Row>(name: string): Row[] {
  const text = readFileSync(new URL(`xquad/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}
