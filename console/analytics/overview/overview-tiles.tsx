import { buildHref } from '../../router.ts';
import type { Tile } from './overview-data.ts';

export interface OverviewTilesProps {
  tiles: readonly Tile[];
  /** Filters of the analytics overview, as the list of conversations uses them. */
  filters: Record<string, string | undefined>;
}

/** Figures of the analytics overview with their names. A figure links to the conversations that it counts. */
export function OverviewTiles({ tiles, filters }: OverviewTilesProps) {
  return (
    <dl className="tiles" aria-label="Figures">
      {tiles.map(({ name, value, detail, filters: own }) => (
        <div key={name} className="tile">
          <dt>
            {own === undefined ? (
              name
            ) : (
              <a href={buildHref(['conversations'], { ...filters, ...own })} title="View conversations">
                {name}
              </a>
            )}
          </dt>
          <dd>
            <strong>{value}</strong>
            <span className="hint">{detail}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
