import type { Tile } from './overview-data.ts';

export function OverviewTiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl class="tiles" aria-label="Figures">
      {tiles.map(({ name, value, detail }) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            <span class="hint">{detail}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
