import { hrefOf } from '../router.ts';
import { useMay } from '../session/use-may.ts';
import { Tabs } from '../ui/tabs.tsx';
import { dataParts, type DataPart } from './data-parts.ts';

export function DataTabs({ current }: { current: DataPart }) {
  const may = useMay();
  const shown = dataParts.filter(([part]) => may(`${part}:read`, 'admin'));
  if (shown.length < 2) return null;
  return (
    <Tabs
      label="Parts of the data"
      current={current}
      tabs={shown.map(([id, name]) => ({ id, name, href: hrefOf([id]) }))}
    />
  );
}
