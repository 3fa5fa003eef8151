export interface TabsProps {
  label: string;
  current: string;
  tabs: readonly { id: string; name: string; href: string; count?: number }[];
}

/** Links between the pages that belong together, in the form of tabs. */
export function Tabs({ label, current, tabs }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ id, name, href, count }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {name}
          {count !== undefined && <span className="tab-count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
