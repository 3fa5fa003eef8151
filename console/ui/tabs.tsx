import { useInView } from '../hooks/use-in-view.ts';

export interface TabsProps {
  label: string;
  current: string;
  tabs: readonly { id: string; name: string; href: string }[];
}

/** Pages that belong together, each with an address of its own. */
export function Tabs({ label, current, tabs }: TabsProps) {
  const list = useInView(current);
  return (
    <nav ref={list} class="tabs" aria-label={label}>
      {tabs.map(({ id, name, href }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
