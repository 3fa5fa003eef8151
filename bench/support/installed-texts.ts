import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CHUNK_LENGTH = 1900;
const QUESTIONS = 300;

/** Reads real text: the beginnings of the source files and documents of the installed packages, without duplicates. */
export function readTexts(count: number): string[] {
  const texts = new Map<string, string>();
  for (const entry of readdirSync('node_modules', { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.min)\.(md|ts|js|mjs|cjs|txt)$/.test(entry.name)) continue;
    const content = readFileSync(join(entry.parentPath, entry.name), 'utf8').replaceAll('\0', ' ');
    for (let at = 0; at < Math.min(content.length, 400_000); at += CHUNK_LENGTH) {
      const text = content.slice(at, at + CHUNK_LENGTH).trim();
      if (text.length > 400) texts.set(text.slice(0, 200), text);
    }
    if (texts.size >= count) break;
  }
  return [...texts.values()].slice(0, count);
}

/** Builds questions of one to nine words of a text, consecutive or scattered; the same in every run. */
export function buildQuestions(texts: string[]): string[] {
  const questions: string[] = [
    'file',
    'error',
    'How do I use the file system?',
    'What is the capital of France?',
  ];
  for (let seed = 1; questions.length < QUESTIONS; seed += 1) {
    const words = texts[(seed * 7919) % texts.length]!.match(/\p{L}{3,}/gu) ?? [];
    const length = 1 + (seed % 9);
    const isInRow = seed % 2 === 0;
    if (words.length <= length) continue;
    const picked = Array.from(
      { length },
      (_, index) => words[(isInRow ? index : index * 37 + seed) % words.length],
    );
    questions.push(picked.join(' '));
  }
  return questions;
}
