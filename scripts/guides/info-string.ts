/** The info string after the opening fence of a code block, such as `ts title="receiver.ts"`. */
export interface InfoString {
  language: string;
  attributes: ReadonlyMap<string, string>;
  /** Words of the info string after the language that are not attributes. */
  rest: string[];
}

const ATTRIBUTE = /^(\w+)="([^"]+)"$/;

export function parseInfoString(info: string): InfoString {
  const [language = '', ...words] = info.trim().match(/\w+="[^"]*"|\S+/g) ?? [];
  const found = words.map((word) => ({ word, match: ATTRIBUTE.exec(word) }));
  return {
    language,
    attributes: new Map(found.flatMap(({ match }) => (match ? [[match[1]!, match[2]!]] : []))),
    rest: found.flatMap(({ word, match }) => (match ? [] : [word])),
  };
}
