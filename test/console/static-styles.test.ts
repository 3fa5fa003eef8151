import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

const root = fileURLToPath(new URL('../../', import.meta.url));

const BREAKPOINTS = new Set(['base', 'xs', 'sm', 'md', 'lg', 'xl']);
/** Props of the component library Mantine that always write style elements. */
const PROPS = new Set(['hiddenFrom', 'visibleFrom']);
const DISABLES_TRANSITIONS = /useMantineColorScheme\(\)/;
const COMPONENTS = /^(AppShell|ColorSchemeScript|Grid|SimpleGrid)$/;

/**
 * Returns uses of the component library Mantine in a source file that write style elements, which the
 * console's content security policy refuses.
 */
function findDynamicStyles(file: string, source: string): string[] {
  const found: string[] = [];
  const visitor = new Visitor({
    ImportSpecifier({ imported }) {
      if (imported.type === 'Identifier' && COMPONENTS.test(imported.name)) found.push(imported.name);
    },
    JSXAttribute({ name, value }) {
      if (name.type !== 'JSXIdentifier') return;
      if (PROPS.has(name.name)) found.push(name.name);
      if (value?.type !== 'JSXExpressionContainer' || value.expression.type !== 'ObjectExpression') return;
      const isResponsive = value.expression.properties.some(
        (property) =>
          property.type === 'Property' &&
          property.key.type === 'Identifier' &&
          BREAKPOINTS.has(property.key.name),
      );
      if (isResponsive) found.push(name.name);
    },
  });
  if (DISABLES_TRANSITIONS.test(source)) found.push('useMantineColorScheme');
  visitor.visit(parseSync(file, source).program);
  return found;
}

/** Returns the classes with which selectors of a style sheet begin. */
function listOwnClasses(css: string): Set<string> {
  const selectors = [...css.matchAll(/([^{};]+)\{/g)].flatMap(([, list = '']) =>
    list.replaceAll(/\([^()]*\)/g, '').split(','),
  );
  return new Set(selectors.flatMap((selector) => /^\s*\.([\w-]+)/.exec(selector)?.[1] ?? []));
}

describe('styles of the console', () => {
  it('of one area have no class in common with other style sheets, which the same tab may have loaded', () => {
    const sheets = readdirSync(join(root, 'console'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.css'))
      .map((file) => ({ file, classes: listOwnClasses(readFileSync(join(root, 'console', file), 'utf8')) }));
    const found = sheets
      .filter(({ file }) => !file.startsWith('styles/'))
      .flatMap(({ file, classes }) =>
        sheets
          .filter((other) => other.file !== file)
          .flatMap((other) =>
            [...classes].filter((name) => other.classes.has(name)).map((name) => `${file}: ${name}`),
          ),
      );
    assert.deepEqual(found, []);
  });

  it('use no hook, component or prop of Mantine that writes style elements', () => {
    const found = readdirSync(join(root, 'console'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => [file, readFileSync(join(root, 'console', file), 'utf8')] as const)
      .filter(([, source]) => source.includes('@mantine/'))
      .flatMap(([file, source]) => findDynamicStyles(file, source).map((use) => `${file}: ${use}`));
    assert.deepEqual(found, []);
  });
});

describe('findDynamicStyles', () => {
  it('finds hooks, components, responsive values and visibility props that create styles at run time', () => {
    const source = `import { AppShell, Box } from '@mantine/core';
      useMantineColorScheme();
      export const page = <Box p={{ base: 'sm', md: 'lg' }} hiddenFrom="md" m="sm" style={{ margin: 0 }} />;`;
    assert.deepEqual(findDynamicStyles('page.tsx', source), [
      'useMantineColorScheme',
      'AppShell',
      'p',
      'hiddenFrom',
    ]);
  });
});
