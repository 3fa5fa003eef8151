import { DataSource, type MigrationInterface } from 'typeorm';

let builder: Promise<DataSource> | undefined;

/**
 * A data source that reuses the entity metadata of the process's first data source. TypeORM needs 12 to 40 ms
 * of CPU to build this metadata, which depends on neither the address nor the pool. All data sources of a
 * process must therefore have the same entities and database type. The metadata's `dataSource` is always the
 * first data source; use the repository's `dataSource` instead.
 */
export class DataSourceWithSharedMetadata extends DataSource {
  protected override async buildMetadatas(): Promise<void> {
    builder ??= super.buildMetadatas().then(() => this);
    const built = await builder;
    if (built === this) return;
    const { entityMetadatas, entityMetadatasMap } = built;
    const classes = (this.options.migrations ?? []) as (new () => MigrationInterface)[];
    const migrations = classes.map((Migration) => new Migration());
    Object.assign(this, { migrations, entityMetadatas, entityMetadatasMap });
  }
}
