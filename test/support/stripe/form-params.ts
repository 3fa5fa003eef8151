import { invalidRequest } from './refusal.ts';

/** Splits `items[0][price]` into `items`, `0` and `price`, and `expand[]` into `expand` and an empty name. */
const NAMES = /[^[\]]+|(?<=\[)(?=\])/g;

interface Tree {
  [name: string]: string | Tree;
}

/** Parameters in Stripe's nested form encoding: `items[0][price]=price_1`. Empty text unsets a value. */
export class FormParams {
  readonly #tree: Tree;
  readonly #path: string;

  constructor(tree: Tree = {}, path = '') {
    this.#tree = tree;
    this.#path = path;
  }

  static parse(encoded: string): FormParams {
    const tree: Tree = {};
    for (const [key, value] of new URLSearchParams(encoded)) put(tree, key.match(NAMES) ?? [], value);
    return new FormParams(tree);
  }

  get names(): string[] {
    return Object.keys(this.#tree);
  }

  get plain(): object {
    return this.#tree;
  }

  has(name: string): boolean {
    return name in this.#tree;
  }

  /** @returns null if the parameter is unset by empty text */
  text(name: string): string | null | undefined {
    const value = this.#tree[name];
    if (typeof value === 'object') throw invalidRequest('Invalid string', { param: this.#nameOf(name) });
    return value === '' ? null : value;
  }

  required(name: string): string {
    const value = this.text(name);
    const param = this.#nameOf(name);
    if (typeof value === 'string') return value;
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }

  whole(name: string): number | undefined {
    const value = this.text(name);
    return typeof value === 'string' ? Number(value) : undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    return typeof value === 'string' ? value === 'true' : undefined;
  }

  nested(name: string): FormParams {
    const value = this.#tree[name];
    return new FormParams(typeof value === 'object' ? value : {}, this.#nameOf(name));
  }

  list(name: string): FormParams[] {
    const list = this.nested(name);
    return list.names.map((index) => list.nested(index));
  }

  texts(name: string): string[] {
    return Object.values(this.nested(name).#tree).filter((value) => typeof value === 'string');
  }

  /** Merges `metadata`: sets the given names, and removes those with empty values. */
  merged(name: string, before: Record<string, string> = {}): Record<string, string> {
    const given = this.nested(name).#tree;
    return Object.fromEntries(
      Object.entries({ ...before, ...given }).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
      ),
    );
  }

  #nameOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}[${name}]`;
  }
}

function put(tree: Tree, keys: string[], value: string): void {
  const [name = '', ...rest] = keys;
  const key = name === '' ? String(Object.keys(tree).length) : name;
  if (rest.length === 0) tree[key] = value;
  else put(branchOf(tree, key), rest, value);
}

function branchOf(tree: Tree, name: string): Tree {
  const branch = tree[name];
  if (typeof branch === 'object') return branch;
  return (tree[name] = {});
}
