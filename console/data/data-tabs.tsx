import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { Tabs } from '../components/page/tabs.tsx';
import { dataParts, type DataPart } from './data-parts.ts';

export function DataTabs({ current }: { current: DataPart }) {
  const may = usePermission();
  const shown = dataParts.filter(([part]) => may(`${part}:read`, 'admin'));
  if (shown.length < 2) return null;
  return (
    <Tabs
      label="Data pages"
      current={current}
      tabs={shown.map(([id, name]) => ({ id, name, href: buildHref([id]) }))}
    />
  );
}
