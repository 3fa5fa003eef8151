import { createInvalidRequest } from './refusal.ts';

/**
 * Matches the parts of a parameter's name: splits `items[0][price]` into `items`, `0` and `price`, and
 * `expand[]` into `expand` and an empty name.
 */
const NAMES = /[^[\]]+|(?<=\[)(?=\])/g;

interface Tree {
  [name: string]: string | Tree;
}

/** Parameters of a request in Stripe's nested form encoding: `items[0][price]=price_1`. Empty text unsets a value. */
export class FormParams {
  readonly #tree: Tree;
  readonly #path: string;

  constructor(tree: Tree = {}, path = '') {
    this.#tree = tree;
    this.#path = path;
  }

  static parse(encoded: string): FormParams {
    const tree: Tree = {};
    for (const [key, value] of new URLSearchParams(encoded)) putValue(tree, key.match(NAMES) ?? [], value);
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
  getText(name: string): string | null | undefined {
    const value = this.#tree[name];
    if (typeof value === 'object')
      throw createInvalidRequest('Invalid string', { param: this.#formatName(name) });
    return value === '' ? null : value;
  }

  requireText(name: string): string {
    const value = this.getText(name);
    const param = this.#formatName(name);
    if (typeof value === 'string') return value;
    throw createInvalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }

  getInteger(name: string): number | undefined {
    const value = this.getText(name);
    return typeof value === 'string' ? Number(value) : undefined;
  }

  getFlag(name: string): boolean | undefined {
    const value = this.getText(name);
    return typeof value === 'string' ? value === 'true' : undefined;
  }

  getNested(name: string): FormParams {
    const value = this.#tree[name];
    return new FormParams(typeof value === 'object' ? value : {}, this.#formatName(name));
  }

  getList(name: string): FormParams[] {
    const list = this.getNested(name);
    return list.names.map((index) => list.getNested(index));
  }

  getTexts(name: string): string[] {
    return Object.values(this.getNested(name).#tree).filter((value) => typeof value === 'string');
  }

  /** Merges `metadata` of a request: sets the given names, and removes those with empty values. */
  mergeMetadata(name: string, before: Record<string, string> = {}): Record<string, string> {
    const changes = this.getNested(name).#tree;
    return Object.fromEntries(
      Object.entries({ ...before, ...changes }).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
      ),
    );
  }

  #formatName(name: string): string {
    return this.#path === '' ? name : `${this.#path}[${name}]`;
  }
}

function putValue(tree: Tree, keys: string[], value: string): void {
  const [name = '', ...rest] = keys;
  const key = name === '' ? String(Object.keys(tree).length) : name;
  if (rest.length === 0) tree[key] = value;
  else putValue(getBranch(tree, key), rest, value);
}

function getBranch(tree: Tree, name: string): Tree {
  const branch = tree[name];
  if (typeof branch === 'object') return branch;
  return (tree[name] = {});
}
