import type { Tile } from './overview-data.ts';

export function OverviewTiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl className="tiles" aria-label="Figures">
      {tiles.map(({ name, value, detail }) => (
        <div key={name} className="card">
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            <span className="hint">{detail}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
