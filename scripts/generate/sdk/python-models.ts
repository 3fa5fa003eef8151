import type { Field, Model, SdkApi, TypeRef } from './ir.ts';
import { docstring, indented, pythonName, pythonString } from './python-text.ts';
import { nestedModel, paramName, PythonTypes } from './python-types.ts';

const HERE = { models: '', params: '' };
/** Methods of mappings that a field with the same name hides. */
const MAPPING_METHODS = new Set(['items', 'values', 'keys', 'get']);

/** Generates the module with the classes of responses. */
export function modelsModule(api: SdkApi): string[] {
  const types = new PythonTypes(api);
  const unionMembers = membersOfUnions(api);
  const received = api.models.filter(({ isReceived }) => isReceived);
  return [
    '"""What answers are read as."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, List, Literal',
    '',
    'from .._models import Model',
    ...received.flatMap((model) => ['', '', ...modelClass(model, types, unionMembers.has(model.name))]),
  ];
}

function modelClass(model: Model, types: PythonTypes, isTold: boolean): string[] {
  const nested = model.fields.flatMap(({ name, type }) => {
    const inner = nestedModel(type);
    return inner === undefined ? [] : [`${pythonString(name)}: ${pythonString(inner)}`];
  });
  const required = model.fields.filter(({ isRequired }) => isRequired).map(({ name }) => pythonString(name));
  const body = [
    ...docstring([model.description], 1),
    '__slots__ = ()',
    ...(nested.length > 0 ? [`_nested = {${nested.join(', ')}}`] : []),
    ...(isTold ? [`_required = frozenset({${required.join(', ')}})`] : []),
    ...model.fields.flatMap((field) => receivedField(field, types)),
  ];
  return [`class ${model.name}(Model):`, ...indented(body)];
}

function receivedField({ name, type, isRequired, description }: Field, types: PythonTypes): string[] {
  const written = optional(types.received(type, HERE), isRequired);
  const reason = MAPPING_METHODS.has(name) ? '  # type: ignore[assignment]' : '';
  return [`${pythonName(name)}: ${written}${reason}`, ...docstring([description], 1)];
}

function optional(type: string, isRequired: boolean): string {
  return isRequired || type === 'Any' || type.endsWith('| None') ? type : `${type} | None`;
}

/** Generates the module with the dicts that callers pass in arguments. */
export function paramsModule(api: SdkApi): string[] {
  const types = new PythonTypes(api);
  const names = [...sentWithin(api, types)].sort();
  return [
    '"""What is written within the arguments of methods."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Literal, Mapping, Sequence, TypedDict',
    '',
    'from .models import *  # noqa: F403',
    ...names.flatMap((name) => paramClasses(types.model(name), types)),
  ];
}

/** Generates two classes if some fields are required, because Python 3.10 lacks `Required`. */
function paramClasses(model: Model, types: PythonTypes): string[] {
  const name = paramName(model.name);
  const required = model.fields.filter(({ isRequired }) => isRequired);
  const others = model.fields.filter(({ isRequired }) => !isRequired);
  const doc = docstring([model.description], 1);
  const fieldsOf = (fields: readonly Field[]) => fields.flatMap((field) => sentField(field, types));
  const classOf = (head: string, body: readonly string[]) => [
    '',
    '',
    head,
    ...indented(body.length > 0 ? body : ['pass']),
  ];
  if (required.length === 0)
    return classOf(`class ${name}(TypedDict, total=False):`, [...doc, ...fieldsOf(others)]);
  if (others.length === 0) return classOf(`class ${name}(TypedDict):`, [...doc, ...fieldsOf(required)]);
  return [
    ...classOf(`class _${name}Required(TypedDict):`, fieldsOf(required)),
    ...classOf(`class ${name}(_${name}Required, total=False):`, [...doc, ...fieldsOf(others)]),
  ];
}

function sentField({ name, type, description }: Field, types: PythonTypes): string[] {
  if (pythonName(name) !== name) throw new Error(`${name} cannot be a key of a TypedDict class.`);
  return [`${name}: ${types.sent(type, HERE)}`, ...docstring([description], 1)];
}

/** Returns the models within request bodies; fields of the bodies themselves are arguments. */
function sentWithin(api: SdkApi, types: PythonTypes): Set<string> {
  const found = new Set<string>();
  const visit = (type: TypeRef): void => {
    for (const name of modelsIn(type)) {
      if (found.has(name)) continue;
      found.add(name);
      types.model(name).fields.forEach((field) => visit(field.type));
    }
  };
  for (const { body, query } of api.resources.flatMap(({ methods }) => methods)) {
    query.forEach((parameter) => visit(parameter.type));
    if (body?.kind === 'json') {
      if (body.type.kind === 'model')
        types.model(body.type.name).fields.forEach((field) => visit(field.type));
      else visit(body.type);
    }
  }
  return found;
}

function modelsIn(type: TypeRef): string[] {
  if (type.kind === 'model') return [type.name];
  if (type.kind === 'nullable') return modelsIn(type.of);
  if (type.kind === 'list') return modelsIn(type.items);
  if (type.kind === 'map') return modelsIn(type.values);
  return type.kind === 'union' ? type.members.flatMap(modelsIn) : [];
}

function membersOfUnions(api: SdkApi): Set<string> {
  const answers = api.resources.flatMap(({ methods }) => methods.map(({ answer }) => answer));
  return new Set(
    answers.flatMap((answer) =>
      answer.kind === 'json' && answer.type.kind === 'union' ? modelsIn(answer.type) : [],
    ),
  );
}
