import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Sample } from './exposition.ts';

export const ALERT_RULES = 'deploy/prometheus/parley.rules.yml';

interface Matcher {
  label: string;
  operator: string;
  value: string;
}

/** Part of a Prometheus expression that reads one metric. */
export interface Selector {
  metric: string;
  matchers: Matcher[];
  /** Labels by which the expression groups, or that a legend or annotation shows. */
  labels: string[];
}

interface Dashboard {
  panels: { targets?: { expr: string; legendFormat: string }[] }[];
}

interface RuleFile {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
}

/** Labels that Prometheus adds to metrics, and the label of a histogram's buckets. */
const ADDED = new Set(['instance', 'job', 'le']);
const SELECTOR = /\b((?:parley|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)(=~|!~|!=|=)"([^"]*)"/g;
const GROUPING = /\bby \(([^)]*)\)/g;
const SHOWN = /\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g;

/** Returns the metrics that the panels of the Grafana dashboard read. */
export function readDashboard(): Selector[] {
  const { panels } = JSON.parse(readFileSync('deploy/grafana/parley.json', 'utf8')) as Dashboard;
  return panels
    .flatMap(({ targets = [] }) => targets)
    .flatMap(({ expr, legendFormat }) => parseExpression(expr, legendFormat));
}

/** Returns the metrics that the alert rules for Prometheus read. */
export function readAlertRules(): Selector[] {
  const { groups } = parse(readFileSync(ALERT_RULES, 'utf8')) as RuleFile;
  return groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ expr, annotations }) => parseExpression(expr, Object.values(annotations).join(' ')));
}

/** Returns the selectors of metrics for which no sample has the metric and all labels. */
export function findUnmatchedSelectors(selectors: readonly Selector[], samples: readonly Sample[]): string[] {
  const isAnswered = ({ metric, matchers, labels }: Selector) => {
    const needed = [...labels, ...matchers.map(({ label }) => label)].filter((label) => !ADDED.has(label));
    return samples.some(({ name, labels }) => name === metric && needed.every((label) => label in labels));
  };
  return selectors.filter((selector) => !isAnswered(selector)).map((selector) => JSON.stringify(selector));
}

/** Returns the values with which selectors compare a label, as whole texts. */
export function listComparedValues(selectors: readonly Selector[], label: string): Set<string> {
  const matchers = selectors.flatMap((selector) => selector.matchers);
  return new Set(matchers.filter((each) => each.label === label).flatMap(({ value }) => value.split('|')));
}

function parseExpression(expression: string, shown: string): Selector[] {
  const labels = [
    ...[...expression.matchAll(GROUPING)].flatMap(([, names = '']) => names.split(', ')),
    ...[...shown.matchAll(SHOWN)].map(([, name = '']) => name),
  ];
  return [...expression.matchAll(SELECTOR)].map(([, metric = '', braces = '']) => ({
    metric,
    labels,
    matchers: [...braces.matchAll(MATCHER)].map(([, label = '', operator = '', value = '']) => ({
      label,
      operator,
      value,
    })),
  }));
}
