import type { Model, SdkApi, TypeRef } from './sdk-api.ts';
import { pythonString } from './python-text.ts';

/** Returns the name of the Python TypedDict with which callers of the SDK write a model. */
export function paramName(model: string): string {
  return `${model}Param`;
}

/** Prefixes for the names of generated Python types: the module that defines the types. Empty within that module. */
export interface TypePrefixes {
  models: string;
  params: string;
}

const PLAIN = { string: 'str', integer: 'int', number: 'float', boolean: 'bool' } as const;

const OTHER_MODULE: TypePrefixes = { models: 'models.', params: 'params.' };

/**
 * Converts types of the API to Python annotations. Arguments accept any sequence or mapping, and also models
 * from responses.
 */
export class PythonTypes {
  private readonly models: ReadonlyMap<string, Model>;

  constructor(api: SdkApi) {
    this.models = new Map(api.models.map((model) => [model.name, model]));
  }

  model(name: string): Model {
    const found = this.models.get(name);
    if (!found) throw new Error(`There is no model ${name}.`);
    return found;
  }

  renderReceived(type: TypeRef, naming: TypePrefixes = OTHER_MODULE): string {
    const inner = (each: TypeRef) => this.renderReceived(each, naming);
    if (type.kind === 'list') return `List[${inner(type.items)}]`;
    if (type.kind === 'map') return `Dict[str, ${inner(type.values)}]`;
    if (type.kind === 'model') return naming.models + type.name;
    return this.common(type, inner, true);
  }

  renderSent(type: TypeRef, naming: TypePrefixes = OTHER_MODULE): string {
    const inner = (each: TypeRef) => this.renderSent(each, naming);
    if (type.kind === 'list') return `Sequence[${inner(type.items)}]`;
    if (type.kind === 'map') return `Mapping[str, ${inner(type.values)}]`;
    if (type.kind === 'model') {
      const { name, isReceived } = this.model(type.name);
      const param = naming.params + paramName(name);
      return isReceived ? `${param} | ${naming.models}${name}` : param;
    }
    return this.common(type, inner, false);
  }

  private common(type: TypeRef, inner: (type: TypeRef) => string, isReceived: boolean): string {
    if (type.kind in PLAIN) return PLAIN[type.kind as keyof typeof PLAIN];
    if (type.kind === 'literal') return `Literal[${literal(type.value)}]`;
    if (type.kind === 'enum') {
      const known = `Literal[${type.values.map(pythonString).join(', ')}]`;
      return isReceived && type.isOpen ? `${known} | str` : known;
    }
    if (type.kind === 'union') return type.members.map(inner).join(' | ');
    return type.kind === 'nullable' ? `${inner(type.of)} | None` : 'Any';
  }
}

/** Returns the name of the model to which a type refers; for a list, the model of its items. */
export function nestedModel(type: TypeRef): string | undefined {
  if (type.kind === 'model') return type.name;
  if (type.kind === 'nullable') return nestedModel(type.of);
  return type.kind === 'list' && type.items.kind === 'model' ? type.items.name : undefined;
}

function literal(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? String(value) : pythonString(value);
}
