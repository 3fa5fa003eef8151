/** Numbers of the element types of tensors in the ONNX format. */
const DATA_TYPES = { float32: 1, uint8: 2, int64: 7 } as const;
/** Numbers of the types of attributes in the ONNX format. */
const FLOAT = 1;
const INTEGER = 2;
const INTEGERS = 7;
/** Versions of the ONNX format and of its operators, which runtimes since 2024 support. */
const FORMAT_VERSION = 8;
const OPERATORS = { '': 17, 'com.microsoft': 1 };

export interface OnnxTensor {
  type: keyof typeof DATA_TYPES;
  dims: readonly number[];
  bytes: Uint8Array;
}

/**
 * An attribute of an ONNX node. A float is written `{ float: 1e-12 }`, since JavaScript does not distinguish
 * floats from integers.
 */
export type OnnxAttribute = number | readonly number[] | { float: number };

/**
 * Builds an ONNX model, from constants and from nodes that compute the model's output. The same calls always
 * build the same file, so its digest identifies the model on every machine.
 */
export class OnnxGraph {
  readonly #nodes: Buffer[] = [];
  readonly #constants: Buffer[] = [];
  #values = 0;

  /** Adds a constant to the ONNX model. Returns the name of its value. */
  constant({ type, dims, bytes }: OnnxTensor): string {
    const name = this.#nextName();
    this.#constants.push(
      Buffer.concat([
        ...dims.map((dim) => integerField(1, dim)),
        integerField(2, DATA_TYPES[type]),
        textField(8, name),
        bytesField(9, bytes),
      ]),
    );
    return name;
  }

  floats(values: ArrayLike<number>, dims: readonly number[] = [values.length]): string {
    return this.constant({ type: 'float32', dims, bytes: toBytes(Float32Array.from(values)) });
  }

  integers(values: readonly number[], dims: readonly number[] = [values.length]): string {
    return this.constant({ type: 'int64', dims, bytes: toBytes(BigInt64Array.from(values, BigInt)) });
  }

  /** Adds a node with one output to the ONNX model. Returns the name of the output's value. */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, OnnxAttribute> = {},
    domain: keyof typeof OPERATORS = '',
  ): string {
    const name = this.#nextName();
    this.#addNode(operator, inputs, name, attributes, domain);
    return name;
  }

  /**
   * Returns the ONNX file of a model that computes `output` from `input_ids`.
   * @param name name of the output in the file
   */
  toFile(output: string, name: string): Buffer {
    this.#addNode('Identity', [output], name, {}, '');
    const graph = Buffer.concat([
      ...this.#nodes.map((node) => bytesField(1, node)),
      textField(2, 'model'),
      ...this.#constants.map((constant) => bytesField(5, constant)),
      bytesField(11, describeValue('input_ids', DATA_TYPES.int64)),
      bytesField(12, describeValue(name, DATA_TYPES.float32)),
    ]);
    return Buffer.concat([
      integerField(1, FORMAT_VERSION),
      bytesField(7, graph),
      ...Object.entries(OPERATORS).map(([domain, version]) =>
        bytesField(8, Buffer.concat([textField(1, domain), integerField(2, version)])),
      ),
    ]);
  }

  #addNode(
    operator: string,
    inputs: readonly string[],
    output: string,
    attributes: Record<string, OnnxAttribute>,
    domain: string,
  ): void {
    this.#nodes.push(
      Buffer.concat([
        ...inputs.map((input) => textField(1, input)),
        textField(2, output),
        textField(4, operator),
        ...Object.entries(attributes).map((attribute) => bytesField(5, encodeAttribute(...attribute))),
        textField(7, domain),
      ]),
    );
  }

  #nextName(): string {
    this.#values += 1;
    return `v${this.#values}`;
  }
}

function encodeAttribute(name: string, value: OnnxAttribute): Buffer {
  if (typeof value === 'number')
    return Buffer.concat([textField(1, name), integerField(3, value), integerField(20, INTEGER)]);
  if ('float' in value) {
    const bytes = Buffer.alloc(5);
    bytes[0] = (2 << 3) | 5;
    bytes.writeFloatLE(value.float, 1);
    return Buffer.concat([textField(1, name), bytes, integerField(20, FLOAT)]);
  }
  const integers = value.map((each) => integerField(8, each));
  return Buffer.concat([textField(1, name), ...integers, integerField(20, INTEGERS)]);
}

/** Describes an input or output of the model without a shape, because the shape depends on the length of the text. */
function describeValue(name: string, type: number): Buffer {
  return Buffer.concat([textField(1, name), bytesField(2, bytesField(1, integerField(1, type)))]);
}

// Functions that encode fields of Protocol Buffers: a tag with the field's number and kind, then a value.

function integerField(field: number, value: number): Buffer {
  return Buffer.concat([varint(BigInt(field << 3)), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function bytesField(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
}

const textField = (field: number, text: string) => bytesField(field, Buffer.from(text));

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

const toBytes = (values: ArrayBufferView) =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
