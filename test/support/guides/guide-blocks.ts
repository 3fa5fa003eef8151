import { parseInfoString } from '../../../scripts/guides/info-string.ts';

/**
 * A fenced block of a guide. Its info string says what the test does with it:
 *
 * - `sh` runs in the one bash of the guide, with `-euo pipefail`.
 * - `ts title="receiver.ts"` is written to that file, in any language. A later block must use it.
 * - `json`, `text` or `http` is the output of the `sh` block above. `…` stands for any part of a line, lines, items or members.
 * - `sh background="receiver"` runs in a terminal of its own until the guide ends. The block below is its first output.
 * - `text from="receiver"` waits until that terminal has printed the text.
 * - `text stop="receiver"` ends that terminal by Ctrl-C.
 * - `text browser="http://…"` opens the page and its widget: lines with `> ` are typed, others are awaited.
 */
export interface GuideBlock {
  /** Line of the guide's file on which the block begins, from 1. */
  line: number;
  code: string;
  language: string;
  /** Path of the file to which the test writes the block. */
  title?: string;
  /** Name of the terminal in which the block runs in the background. */
  background?: string;
  /** Name of the terminal whose output the block shows. */
  from?: string;
  /** Name of the terminal that the test ends by Ctrl-C. */
  stop?: string;
  /** Address of the page on which the conversation in the block takes place. */
  browser?: string;
}

export type GuideStep =
  | { kind: 'run'; block: GuideBlock; output?: GuideBlock }
  | { kind: 'write'; block: GuideBlock; title: string }
  | { kind: 'start'; block: GuideBlock; terminal: string }
  | { kind: 'watch'; block: GuideBlock; terminal: string }
  | { kind: 'stop'; block: GuideBlock; terminal: string }
  | { kind: 'visit'; block: GuideBlock; page: string };

export class GuideError extends Error {
  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}

const FENCE = /^(`{3,})([^\n`]*)\n([^]*?)^\1 *$/gm;
const INDENTED_FENCE = /^ +```/m;
const ATTRIBUTES = new Set(['title', 'background', 'from', 'stop', 'browser']);
const OUTPUTS = new Set(['text', 'json', 'http']);
const FILES = new Set(['ts', 'js', 'py', 'html', 'json', 'yaml', 'ini', 'nginx', 'sql', 'md', 'text', 'sh']);

/**
 * Parses the fenced blocks of a guide.
 * @throws GuideError if an info string has an unknown attribute or a block is indented
 */
export function parseGuideBlocks(markdown: string): GuideBlock[] {
  const indented = INDENTED_FENCE.exec(markdown.replaceAll(FENCE, blankOut));
  if (indented) throw new GuideError(findLine(markdown, indented.index), 'a block begins at the margin');
  return [...markdown.matchAll(FENCE)].map(({ index, 2: info = '', 3: code = '' }) => {
    const line = findLine(markdown, index);
    const { language, attributes, rest } = parseInfoString(info);
    const unknown = [...rest, ...[...attributes.keys()].filter((name) => !ATTRIBUTES.has(name))];
    if (unknown.length > 0) throw new GuideError(line, `a block has no ${unknown.join(', ')}`);
    return { line, code, language, ...(Object.fromEntries(attributes) as Partial<GuideBlock>) };
  });
}

/**
 * Plans a step of the test for each block of a guide, in order.
 * @throws GuideError if a block would not be run, used or compared
 */
export function planGuideSteps(blocks: readonly GuideBlock[]): GuideStep[] {
  const steps: GuideStep[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.title !== undefined) steps.push(planWriteStep(block, block.title, blocks.slice(index + 1)));
    else if (OUTPUTS.has(block.language)) addOutput(steps, block);
    else if (block.language !== 'sh') throw new GuideError(block.line, describeUnusedBlock(block));
    else if (block.background === undefined) steps.push({ kind: 'run', block });
    else steps.push({ kind: 'start', block, terminal: block.background });
  }
  const unwatched = steps.find((step, index) => step.kind === 'start' && steps[index + 1]?.kind !== 'watch');
  if (unwatched)
    throw new GuideError(unwatched.block.line, 'the block below shows what is printed once it is ready');
  return steps;
}

function planWriteStep(block: GuideBlock, title: string, later: readonly GuideBlock[]): GuideStep {
  if (!FILES.has(block.language))
    throw new GuideError(block.line, `${block.language} is no language of a file`);
  const name = title.slice(title.lastIndexOf('/') + 1).replace(/(?<=.)\.\w+$/, '');
  if (!later.some(({ code }) => code.includes(name)))
    throw new GuideError(block.line, `no later block uses ${title}`);
  return { kind: 'write', block, title };
}

function addOutput(steps: GuideStep[], block: GuideBlock): void {
  const last = steps.at(-1);
  if (block.stop !== undefined) steps.push({ kind: 'stop', block, terminal: block.stop });
  else if (block.browser !== undefined) steps.push({ kind: 'visit', block, page: block.browser });
  else if (block.from !== undefined) steps.push({ kind: 'watch', block, terminal: block.from });
  else if (last?.kind === 'start') steps.push({ kind: 'watch', block, terminal: last.terminal });
  else if (last?.kind === 'run' && last.output === undefined) last.output = block;
  else throw new GuideError(block.line, 'output follows what prints it, or is from="…" a terminal');
}

function describeUnusedBlock({ language }: GuideBlock): string {
  return language === '' ? 'a block has a language' : `a block of ${language} is a file, and has title="…"`;
}

function findLine(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function blankOut(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
