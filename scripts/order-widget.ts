// Looks for the order of the widget's statements that gzip makes least of: it finds again only what stood shortly before. The order
// is a matter of size alone; it is looked for again when the widget has changed much.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { bundledWidget } from '../api/browser/browser-bundle.ts';
import { widgetParts } from '../api/browser/shrunk-widget.ts';
import { joined, lawful, type Part } from '../api/browser/widget-parts.ts';

const TRIES = 60_000;
/** How much worse an order may be at first, for a better one behind it. */
const PATIENCE_BYTES = 15;
const SEED = 7;

const inSource = await widgetParts(await bundledWidget());
const random = randomNumbers(SEED);
const sizeOf = (parts: Part[]) => gzipSync(joined(lawful(parts, inSource)), { level: 9 }).length;

let present = inSource.filter(({ kind }) => kind !== 'beginning');
let presentSize = sizeOf(present);
let best = present;
let bestSize = presentSize;
console.log(`${presentSize} bytes as they are written.`);
for (let index = 0; index < TRIES; index += 1) {
  const tried = withSomeMoved(present);
  const size = sizeOf(tried);
  const patience = PATIENCE_BYTES * (1 - index / TRIES) * random();
  if (size >= presentSize + patience) continue;
  [present, presentSize] = [tried, size];
  if (size < bestSize) [best, bestSize] = [tried, size];
}
console.log(`${bestSize} bytes in the best order found.`);
const names = lawful(best, inSource).map(({ name }) => name);
writeFileSync('api/browser/widget-order.json', `${JSON.stringify(names.filter(Boolean), null, 2)}\n`);

function withSomeMoved(parts: Part[]): Part[] {
  const rest = [...parts];
  const moved = rest.splice(at(parts.length), 1 + at(4));
  rest.splice(at(rest.length + 1), 0, ...moved);
  return rest;
}

function at(length: number): number {
  return Math.floor(random() * length);
}

/** The same ones each time. */
function randomNumbers(seed: number): () => number {
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
}
