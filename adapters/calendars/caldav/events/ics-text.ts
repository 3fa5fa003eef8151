/** A property of an iCalendar file: one line, with its folded parts joined. */
export interface IcsProperty {
  /** Name of the iCalendar property in upper case. */
  name: string;
  /** Parameters of the property as the file has them: empty, or with a leading `;`. */
  parameters: string;
  value: string;
}

/** A VEVENT or VFREEBUSY of an iCalendar file, without its alarms. */
export interface IcsComponent {
  properties: IcsProperty[];
  /** False if the iCalendar text ends within the component. */
  isComplete: boolean;
}

/** The components of an iCalendar text on which busy times depend. */
export interface IcsFile {
  /** Properties of the calendar itself, such as METHOD. */
  properties: IcsProperty[];
  events: IcsComponent[];
  freeBusy: IcsComponent[];
  /** Lines of each VTIMEZONE (definition of a time zone), with folded lines joined. */
  zones: string[][];
  /** True if the text contains the beginning of a calendar or an event. */
  isCalendar: boolean;
}

/**
 * iCalendar properties that Parley reads. It skips all others, since an event may have megabytes of
 * attachments.
 */
const READ: ReadonlySet<string> = new Set(
  `UID SUMMARY CLASS SEQUENCE DTSTART DTEND DURATION RECURRENCE-ID RRULE EXRULE RDATE EXDATE STATUS TRANSP
  ATTENDEE ORGANIZER METHOD FREEBUSY X-WR-TIMEZONE X-MICROSOFT-CDO-BUSYSTATUS X-MICROSOFT-CDO-ALLDAYEVENT`.split(
    /\s+/,
  ),
);
/** iCalendar properties whose values contain only times. */
const TIMES: ReadonlySet<string> = new Set(['DTSTART', 'DTEND', 'RECURRENCE-ID', 'RDATE', 'EXDATE']);
const TIME_VALUE = /^\s*\d{4}[\s\d:,/TZPWDHMS.+-]*$/i;
const RULES: ReadonlySet<string> = new Set(['RRULE', 'EXRULE', 'RDATE', 'EXDATE']);
/** Matches a line that was not folded and continues a recurrence rule or a list of dates. */
const RULE_REST = /^[A-Z]*[=,;\d][A-Z\d=,;:+-]*$/i;
/** Matches the name of an iCalendar property, followed by its value or a parameter. */
const NAME = /^([A-Za-z][A-Za-z\d-]*)\s*(?=:|;\s*[A-Za-z\d-]+\s*=)/;
/** Maximum number of lines without folding between the name of an iCalendar property and its value. */
const MAX_LOST_LINES = 100;
/** Maximum nesting of iCalendar components: calendar, event and alarm need three levels. */
const MAX_DEPTH = 16;

/**
 * Parses an iCalendar text. Skips parts that cannot be read: byte order marks, blank lines, unknown
 * components, text that is not folded, and anything after the end. Accepts any kind of line break.
 */
export function parseIcs(text: string): IcsFile {
  const parser = new IcsParser();
  for (const [line] of text.matchAll(/[^\r\n]+/g)) parser.add(line);
  return parser.end();
}

/** Returns the first property of an iCalendar component with this name. */
export function findProperty(
  { properties }: { properties: readonly IcsProperty[] },
  name: string,
): IcsProperty | undefined {
  return properties.find((property) => property.name === name);
}

export function listProperties({ properties }: IcsComponent, name: string): IcsProperty[] {
  return properties.filter((property) => property.name === name);
}

/**
 * Returns the value of a component's first property with this name, without surrounding space; empty if no
 * such property exists.
 */
export function readValue(component: { properties: readonly IcsProperty[] }, name: string): string {
  return findProperty(component, name)?.value.trim() ?? '';
}

/**
 * Returns the value of an iCalendar property's parameter without its quotes; undefined if the parameter is
 * missing.
 */
export function readParameter({ parameters }: IcsProperty, name: string): string | undefined {
  const prefix = `${name}=`;
  for (let from = 0; from < parameters.length;) {
    const end = findUnquoted(parameters, ';', from) ?? parameters.length;
    const parameter = parameters.slice(from, end).trimStart();
    if (parameter.slice(0, prefix.length).toUpperCase() === prefix)
      return parameter.slice(prefix.length).replaceAll('"', '').trim();
    from = end + 1;
  }
  return undefined;
}

class IcsParser {
  readonly #file: IcsFile = { properties: [], events: [], freeBusy: [], zones: [], isCalendar: false };
  readonly #open: { name: string; component?: IcsComponent }[] = [];
  #zone: string[] | undefined;
  /** The last line of the iCalendar text so far, which the next line may continue. */
  #pending = '';
  /** Name of the iCalendar property on the last line. */
  #name = '';
  /**
   * True if the last line contains the value of its property. Parsing a growing line again would take
   * quadratic time.
   */
  #hasValue = false;
  /** Number of further unfolded lines that may contain a part of the last property's value. */
  #lostLines = 0;

  add(raw: string): void {
    const line = raw.replace(/^\uFEFF+/, '').replaceAll('\0', '');
    if (/^[ \t]/.test(line) && this.#pending !== '') this.#pending += line.slice(1);
    else if (line.trim() !== '') this.#addUnfolded(line.trim());
  }

  end(): IcsFile {
    this.#endLine();
    for (const { component } of this.#open) if (component) component.isComplete = false;
    return this.#file;
  }

  #addUnfolded(line: string): void {
    const isBoundary = /^(?:BEGIN|END)\s*:/i.test(line);
    if (!isBoundary && this.#continues(line)) this.#pending += line;
    else if (isBoundary || NAME.test(line)) {
      this.#endLine();
      this.#pending = line;
      this.#name = NAME.exec(line)?.[1]?.toUpperCase() ?? '';
      this.#hasValue = false;
      this.#lostLines = MAX_LOST_LINES;
    }
    if (isBoundary) this.#endLine();
  }

  /** Returns whether a line of the iCalendar text that is not folded belongs to the line before it. */
  #continues(line: string): boolean {
    if (this.#pending === '' || !READ.has(this.#name)) return false;
    this.#hasValue ||= splitLine(this.#pending) !== undefined;
    if (this.#hasValue) return RULES.has(this.#name) && !NAME.test(line) && RULE_REST.test(line);
    return (this.#lostLines -= 1) >= 0;
  }

  #endLine(): void {
    const line = this.#pending;
    this.#pending = '';
    if (line === '') return;
    const [, word = '', name = ''] = /^(BEGIN|END)\s*:\s*(\S+)/i.exec(line) ?? [];
    if (word !== '') this.#bound(word.toUpperCase(), name.toUpperCase());
    else this.#addProperty(line);
    if (this.#zone) this.#zone.push(line);
    if (word.toUpperCase() === 'END' && name.toUpperCase() === 'VTIMEZONE') this.#zone = undefined;
  }

  #bound(word: string, name: string): void {
    const at = this.#open.findLastIndex((open) => open.name === name);
    if (word === 'END') {
      if (at !== -1) this.#open.length = at;
      return;
    }
    if (name === 'VCALENDAR' || name === 'VEVENT') this.#file.isCalendar = true;
    // An event cannot contain another event, so the end of the previous event is missing.
    if (name === 'VEVENT' && at !== -1) this.#open.length = at;
    if (this.#open.length === MAX_DEPTH) return;
    if (name === 'VTIMEZONE') this.#file.zones.push((this.#zone = []));
    const list = { VEVENT: this.#file.events, VFREEBUSY: this.#file.freeBusy }[name];
    const component: IcsComponent = { properties: [], isComplete: true };
    list?.push(component);
    this.#open.push(list ? { name, component } : { name });
  }

  #addProperty(line: string): void {
    const name = NAME.exec(line)?.[1]?.toUpperCase() ?? '';
    if (!READ.has(name)) return;
    const { name: opened, component } = this.#open.at(-1) ?? {};
    const properties = opened === 'VCALENDAR' ? this.#file.properties : component?.properties;
    const property = properties && splitLine(line);
    if (property) properties.push(property);
  }
}

/** Splits an iCalendar line into name, parameters and value. Undefined if the line has no value. */
function splitLine(line: string): IcsProperty | undefined {
  const colon = findUnquoted(line, ':');
  const [written = ''] = NAME.exec(line) ?? [];
  if (colon === undefined || written === '') return undefined;
  const name = written.trim().toUpperCase();
  // Some calendar programs write time zones such as `TZID=(UTC+01:00) Amsterdam` without quotes.
  const isInParameter = TIMES.has(name) && !TIME_VALUE.test(line.slice(colon + 1));
  const at = isInParameter ? line.lastIndexOf(':') : colon;
  return { name, parameters: line.slice(written.length, at), value: line.slice(at + 1) };
}

/**
 * Returns the index of a character outside quotation marks. A quotation mark without a closing mark does not
 * count.
 */
function findUnquoted(text: string, character: string, from = 0): number | undefined {
  let found = text.indexOf(character, from);
  for (let at = from; ;) {
    if (found !== -1 && found < at) found = text.indexOf(character, at);
    if (found === -1) return undefined;
    const quote = at + text.slice(at, found).indexOf('"');
    if (quote < at) return found;
    const closing = text.indexOf('"', quote + 1);
    if (closing === -1) return found;
    at = closing + 1;
  }
}
