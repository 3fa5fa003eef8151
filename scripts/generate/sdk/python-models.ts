import type { Field, Model, SdkApi, TypeRef } from './sdk-api.ts';
import { renderDocstring, indentLines, pythonName, pythonString } from './python-text.ts';
import { nestedModel, paramName, PythonTypes } from './python-types.ts';

const OWN_MODULE = { models: '', params: '' };
/** Methods of Python mappings that a model's field with the same name would hide. */
const MAPPING_METHODS = new Set(['items', 'values', 'keys', 'get']);

/** Generates the module of the Python SDK with the classes of response models. */
export function renderModelsModule(api: SdkApi): string[] {
  const types = new PythonTypes(api);
  const unionMembers = findUnionMembers(api);
  const received = api.models.filter(({ isReceived }) => isReceived);
  return [
    '"""Objects of responses."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, List, Literal',
    '',
    'from .._models import Model',
    ...received.flatMap((model) => ['', '', ...renderModelClass(model, types, unionMembers.has(model.name))]),
  ];
}

function renderModelClass(model: Model, types: PythonTypes, isUnionMember: boolean): string[] {
  const nested = model.fields.flatMap(({ name, type }) => {
    const inner = nestedModel(type);
    return inner === undefined ? [] : [`${pythonString(name)}: ${pythonString(inner)}`];
  });
  const required = model.fields.filter(({ isRequired }) => isRequired).map(({ name }) => pythonString(name));
  const body = [
    ...renderDocstring([model.description], 1),
    '__slots__ = ()',
    ...(nested.length > 0 ? [`_nested = {${nested.join(', ')}}`] : []),
    ...(isUnionMember ? [`_required = frozenset({${required.join(', ')}})`] : []),
    ...model.fields.flatMap((field) => renderReceivedField(field, types)),
  ];
  return [`class ${model.name}(Model):`, ...indentLines(body)];
}

function renderReceivedField({ name, type, isRequired, description }: Field, types: PythonTypes): string[] {
  const typeText = toOptional(types.renderReceived(type, OWN_MODULE), isRequired);
  const reason = MAPPING_METHODS.has(name) ? '  # type: ignore[assignment]' : '';
  return [`${pythonName(name)}: ${typeText}${reason}`, ...renderDocstring([description], 1)];
}

function toOptional(type: string, isRequired: boolean): string {
  return isRequired || type === 'Any' || type.endsWith('| None') ? type : `${type} | None`;
}

/** Generates the module of the Python SDK with the TypedDicts that callers pass as arguments. */
export function renderParamsModule(api: SdkApi): string[] {
  const types = new PythonTypes(api);
  const names = [...findSentModels(api, types)].sort();
  return [
    '"""Objects within the arguments of methods."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Literal, Mapping, Sequence, TypedDict',
    '',
    'from .models import *  # noqa: F403',
    ...names.flatMap((name) => renderParamClasses(types.model(name), types)),
  ];
}

/**
 * Generates the TypedDict of a model. Splits it into two classes if some fields are required, because Python
 * 3.10 lacks `Required`.
 */
function renderParamClasses(model: Model, types: PythonTypes): string[] {
  const name = paramName(model.name);
  const required = model.fields.filter(({ isRequired }) => isRequired);
  const others = model.fields.filter(({ isRequired }) => !isRequired);
  const doc = renderDocstring([model.description], 1);
  const renderFields = (fields: readonly Field[]) => fields.flatMap((field) => renderSentField(field, types));
  const renderParamClass = (head: string, body: readonly string[]) => [
    '',
    '',
    head,
    ...indentLines(body.length > 0 ? body : ['pass']),
  ];
  if (required.length === 0)
    return renderParamClass(`class ${name}(TypedDict, total=False):`, [...doc, ...renderFields(others)]);
  if (others.length === 0)
    return renderParamClass(`class ${name}(TypedDict):`, [...doc, ...renderFields(required)]);
  return [
    ...renderParamClass(`class _${name}Required(TypedDict):`, renderFields(required)),
    ...renderParamClass(`class ${name}(_${name}Required, total=False):`, [...doc, ...renderFields(others)]),
  ];
}

function renderSentField({ name, type, description }: Field, types: PythonTypes): string[] {
  if (pythonName(name) !== name) throw new Error(`${name} cannot be a key of a TypedDict class.`);
  return [`${name}: ${types.renderSent(type, OWN_MODULE)}`, ...renderDocstring([description], 1)];
}

/**
 * Returns the names of the models that request bodies contain. The fields of a body itself are arguments of
 * the SDK method.
 */
function findSentModels(api: SdkApi, types: PythonTypes): Set<string> {
  const found = new Set<string>();
  const visit = (type: TypeRef): void => {
    for (const name of listModels(type)) {
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

function listModels(type: TypeRef): string[] {
  if (type.kind === 'model') return [type.name];
  if (type.kind === 'nullable') return listModels(type.of);
  if (type.kind === 'list') return listModels(type.items);
  if (type.kind === 'map') return listModels(type.values);
  return type.kind === 'union' ? type.members.flatMap(listModels) : [];
}

function findUnionMembers(api: SdkApi): Set<string> {
  const answers = api.resources.flatMap(({ methods }) => methods.map(({ answer }) => answer));
  return new Set(
    answers.flatMap((answer) =>
      answer.kind === 'json' && answer.type.kind === 'union' ? listModels(answer.type) : [],
    ),
  );
}
