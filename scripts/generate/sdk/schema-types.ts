import { pascalCase } from './names.ts';
import type { EventUnion, Field, Model, TypeRef } from './sdk-api.ts';

/** A JSON Schema of an OpenAPI document. */
export interface Schema {
  $ref?: string;
  title?: string;
  /** Name of the server-sent event whose data this schema describes. */
  'x-event'?: string;
  description?: string;
  type?: string | readonly string[];
  format?: string;
  enum?: readonly (string | null)[];
  const?: string | number | boolean;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  default?: unknown;
}

/**
 * Direction in which SDKs use a schema. A schema that SDKs both send and receive gets the response type, so
 * that callers can send a response back.
 */
export type Direction = 'sent' | 'received';

interface Usage {
  schema: Schema;
  directions: Set<Direction>;
}

/**
 * Converts JSON Schemas to types of the SDK. Each object with fields becomes a model. An object without a
 * name is named after its position.
 */
export class SchemaTypes {
  private readonly used = new Map<string, Usage>();
  private readonly unions = new Map<string, EventUnion>();

  constructor(private readonly components: Record<string, Schema>) {}

  /** Returns the given schema; for a reference, the schema to which it refers. */
  resolve(schema: Schema): Schema {
    const name = readReferenceName(schema);
    if (name === undefined) return schema;
    const found = this.components[name];
    if (!found) throw new Error(`There is no schema ${name}.`);
    return found;
  }

  /**
   * Converts a JSON Schema to a type of the SDK.
   * @param place name of the model if the schema is an unnamed object
   */
  toType(schema: Schema, place: string, direction: Direction): TypeRef {
    const name = readReferenceName(schema);
    if (name !== undefined) return this.toComponentType(name, direction);
    const types = [schema.type ?? []].flat();
    const isNullable = types.includes('null') || (schema.enum?.includes(null) ?? false);
    const members = schema.anyOf ?? schema.oneOf;
    const type = members
      ? this.toUnion(members, place, direction)
      : this.toPlainType(
          schema,
          types.filter((each) => each !== 'null'),
          place,
          direction,
        );
    return isNullable ? nullable(type) : type;
  }

  toFields(schema: Schema, place: string, direction: Direction): Field[] {
    return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      type: this.toType(property, `${place}${pascalCase(name)}`, direction),
      isRequired: schema.required?.includes(name) ?? false,
      description: property.description ?? this.resolve(property).description ?? '',
    }));
  }

  /**
   * Registers the events of a stream and returns the name of their type. The schema of each event names it in
   * `x-event`.
   */
  eventUnion(schema: Schema): string {
    const name = readReferenceName(schema);
    if (name === undefined) throw new Error('The events of a stream need a name.');
    const { anyOf = [], description = '' } = this.resolve(schema);
    this.unions.set(name, {
      name,
      description,
      events: anyOf.map((member) => ({
        event: member['x-event'] ?? '',
        description: member.description ?? '',
        isLast: /\bthe last event\b/.test(member.description ?? ''),
        data: this.toType(
          member,
          `${name.replace(/Event$/, '')}${pascalCase(member['x-event'] ?? '')}`,
          'received',
        ),
      })),
    });
    return name;
  }

  get eventUnions(): EventUnion[] {
    return [...this.unions.values()];
  }

  /** Returns all registered models of the SDK, sorted by name. */
  models(): Model[] {
    const models = [...this.used].map(([name, { schema, directions }]) => ({
      name,
      description: schema.description ?? '',
      fields: this.toFields(schema, name, mainDirection(directions)),
      allowsAdditionalFields: schema.additionalProperties === true,
      isSent: directions.has('sent'),
      isReceived: directions.has('received'),
    }));
    return models.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private toComponentType(name: string, direction: Direction): TypeRef {
    const schema = this.components[name];
    if (!schema) throw new Error(`There is no schema ${name}.`);
    return this.toType(schema, name, direction);
  }

  private toUnion(members: readonly Schema[], place: string, direction: Direction): TypeRef {
    const types = members.filter(({ type }) => type !== 'null');
    const constants = types.map((member) => member.const);
    const type: TypeRef = constants.every((value) => typeof value === 'string')
      ? { kind: 'enum', values: constants, isOpen: direction === 'received' }
      : uniteTypes(types.map((member) => this.toType(member, place, direction)));
    return types.length < members.length ? nullable(type) : type;
  }

  private toPlainType(
    schema: Schema,
    types: readonly string[],
    place: string,
    direction: Direction,
  ): TypeRef {
    if (schema.const !== undefined) return { kind: 'literal', value: schema.const };
    if (schema.enum) {
      const values = schema.enum.filter((value) => value !== null);
      return { kind: 'enum', values, isOpen: direction === 'received' };
    }
    if (types.length > 1)
      return uniteTypes(
        types.map((each) => this.toPlainType({ ...schema, type: each }, [each], place, direction)),
      );
    const [type = ''] = types;
    switch (type) {
      case 'string':
        return schema.format === undefined ? { kind: 'string' } : { kind: 'string', format: schema.format };
      case 'integer':
      case 'number':
      case 'boolean':
        return { kind: type };
      case 'array':
        return { kind: 'list', items: this.toType(schema.items ?? {}, `${place}Item`, direction) };
      case 'object':
        return this.toObjectType(schema, place, direction);
      default:
        return { kind: 'unknown' };
    }
  }

  private toObjectType(schema: Schema, place: string, direction: Direction): TypeRef {
    if (schema.properties === undefined) {
      const [values] = Object.values(schema.patternProperties ?? {});
      const others =
        typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
      return { kind: 'map', values: this.toType(values ?? others ?? {}, `${place}Value`, direction) };
    }
    this.use(place, schema, direction);
    return { kind: 'model', name: place };
  }

  /** Registers a model for sending or receiving. Visits the model's fields once for each direction. */
  private use(name: string, schema: Schema, direction: Direction): void {
    const usage = this.used.get(name) ?? { schema, directions: new Set<Direction>() };
    if (JSON.stringify(usage.schema.properties) !== JSON.stringify(schema.properties))
      throw new Error(`Two different objects would be called ${name}.`);
    this.used.set(name, usage);
    if (usage.directions.has(direction)) return;
    usage.directions.add(direction);
    this.toFields(schema, name, direction);
  }
}

function readReferenceName({ $ref }: Schema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1);
}

function mainDirection(directions: ReadonlySet<Direction>): Direction {
  return directions.has('received') ? 'received' : 'sent';
}

function uniteTypes(members: readonly TypeRef[]): TypeRef {
  const [only] = members;
  return members.length === 1 && only ? only : { kind: 'union', members };
}

function nullable(type: TypeRef): TypeRef {
  return type.kind === 'nullable' || type.kind === 'unknown' ? type : { kind: 'nullable', of: type };
}
