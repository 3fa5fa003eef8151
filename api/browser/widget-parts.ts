/** A statement of the widget's script that may stand in another place. */
export interface Part {
  /** As it was written. */
  name: string;
  kind: 'class' | 'function' | 'value' | 'beginning';
  text: string;
}

interface Printable {
  TYPE: string;
  print_to_string(options: object): string;
}

interface Definition extends Printable {
  name: { name: string };
  value?: Printable;
}

interface Statement extends Printable {
  name?: { name: string };
  definitions?: Definition[];
}

/** What terser makes of a script. */
export interface Program {
  body: Statement[];
}

export function partsOf({ body }: Program): Part[] {
  const part = (node: Statement | Definition, kind: Part['kind']): Part => ({
    name: node.name?.name ?? '',
    kind,
    text: node.print_to_string({ ecma: 2022 }),
  });
  return body.flatMap((statement) => {
    const { definitions, TYPE } = statement;
    if (!definitions) return [part(statement, TYPE === 'Defun' ? 'function' : 'beginning')];
    return definitions.map((each) => part(each, each.value?.TYPE.startsWith('Class') ? 'class' : 'value'));
  });
}

/** The same parts where values keep their order, since one may be made of another, and what begins is the end. */
export function lawful(parts: Part[], inSource: Part[]): Part[] {
  const values = inSource.filter(({ kind }) => kind === 'value').values();
  const rest = parts.filter(({ kind }) => kind !== 'beginning');
  return [
    ...rest.map((part) => (part.kind === 'value' ? values.next().value! : part)),
    ...inSource.filter(({ kind }) => kind === 'beginning'),
  ];
}

export function joined(parts: Part[]): string {
  let script = '"use strict";(()=>{';
  let isInList = false;
  for (const { kind, text } of parts) {
    const isListed = kind === 'class' || kind === 'value';
    if (isListed) script += isInList ? ',' : 'var ';
    else if (isInList) script += ';';
    script += kind === 'beginning' ? `${text.replace(/;$/, '')};` : text;
    isInList = isListed;
  }
  return `${script}})();`;
}
